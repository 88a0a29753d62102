// Bounds, rows and pointers that are read again in each iteration since a store
// of the loop might change them, by its type: members of structures, globals,
// values behind pointers.  Nothing does.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 4000 };

struct ints {
    int rows, columns;
    int *data;
};
struct bytes {
    int rows, columns;
    unsigned char *data;
};
struct longs {
    long n;
    long *data;
};
struct sizes {
    int n, m;
    float *a, *b;
};
struct model {
    struct sizes sizes;
    float *weights;
    int *tokens;
};

static int memory[2][MOST];
static unsigned char pixels[2][MOST];
static long numbers[MOST];
static float weights[MOST], by_row[MOST], by_column[MOST];

int count, width, *values;
int own[MOST];

// == bounds: members behind a pointer

SHAPE void add(struct ints *a, const struct ints *b)
{
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            a->data[i * a->columns + j] += b->data[i * b->columns + j];
}

SHAPE void invert(struct bytes *a)
{
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            a->data[i * a->columns + j] = 255 - a->data[i * a->columns + j];
}

SHAPE void invert_all(struct bytes *a)
{
    for (int i = 0; i < a->rows * a->columns; i++)
        a->data[i] = 255 - a->data[i];
}

SHAPE void smooth(struct bytes *to, const struct bytes *from)
{
    for (int i = 1; i + 1 < from->rows; i++)
        for (int j = 1; j + 1 < from->columns; j++)
            to->data[i * to->columns + j] =
                (from->data[(i - 1) * from->columns + j] +
                 from->data[(i + 1) * from->columns + j] +
                 from->data[i * from->columns + j - 1] +
                 from->data[i * from->columns + j + 1]) /
                4;
}

SHAPE void scale(struct longs *v, long by)
{
    for (long i = 0; i < v->n; i++)
        v->data[i] *= by;
}

// == bounds: behind pointers

SHAPE void behind_pointer(const int *n, int *a)
{
    for (int i = 0; i < *n; i++)
        a[i] = i * 3;
}

// What is read is more than what is written, which only is compared with *n.
SHAPE void moved_down(const int *n, int *a)
{
    for (int i = 0; i < *n - 1; i++)
        a[i] = a[i + 1];
}

SHAPE void behind_both(int **a, const int *n)
{
    for (int i = 0; i < *n; i++)
        (*a)[i] = i * 5;
}

// == bounds: globals

SHAPE void global_bound(void)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] * 2 + 1;
}

SHAPE void global_bounds(void)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < width; j++)
            values[i * width + j] = j * 2 - i;
}

SHAPE void global_array(void)
{
    for (int i = 0; i < count; i++)
        own[i] = own[i] + i;
}

// == bounds: members of members

SHAPE void outer_product(struct model *m)
{
    for (int i = 0; i < m->sizes.n; i++)
        for (int j = 0; j < m->sizes.m; j++)
            m->weights[i * m->sizes.m + j] += m->sizes.a[i] * m->sizes.b[j];
}

SHAPE void tokens(struct model *m)
{
    for (int i = 0; i < m->sizes.n; i++)
        m->tokens[i] = m->tokens[i] % 7 + i;
}

// == bounds: in time steps

SHAPE void steps(struct model *m, int t)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < m->sizes.n; i++)
            m->tokens[i] *= 5;
        for (int i = 0; i < m->sizes.n; i++)
            m->tokens[i] += s;
    }
}

// == bounds: members behind a pointer

SHAPE void transposed(struct ints *a, const struct ints *b)
{
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            a->data[i * a->columns + j] = b->data[j * b->columns + i] * 2;
}

// == bounds: of two loops inside of one

struct columns {
    size_t rows, columns, distance;
    float *data;
};

SHAPE void normalised(struct columns *a, const float *restrict by)
{
    for (size_t j = 0; j < a->columns; j++) {
        float sum = a->data[j];

        for (size_t i = 1; i < a->rows; i++)
            sum += a->data[i * a->distance + j] * by[i];
        for (size_t i = 1; i < a->rows; i++)
            a->data[i * a->distance + j] -= sum * by[i];
    }
}

SHAPE void reflected(struct columns *a, const struct columns *by)
{
    for (size_t j = 0; j < a->columns; j++) {
        float sum = a->data[j];

        for (size_t i = 1; i < a->rows; i++)
            sum += a->data[i * a->distance + j] * by->data[i * by->distance];
        a->data[j] -= sum;
        for (size_t i = 1; i < a->rows; i++)
            a->data[i * a->distance + j] -= sum * by->data[i * by->distance];
    }
}

static void run(int n, int m)
{
    struct columns c = {(size_t)n, (size_t)m, (size_t)m + 3, by_row},
                   v = {(size_t)n, 1, 7, by_column};
    struct ints a = {n, m, memory[0]}, b = {n, m, memory[1]};
    struct bytes p = {n, m, pixels[0]}, q = {n, m, pixels[1]};
    struct longs l = {n * m, numbers};
    struct model d = {{n, m, by_row, by_column}, weights, memory[0]};

    random_bits(memory, sizeof memory);
    random_bits(pixels, sizeof pixels);
    random_bits(numbers, sizeof numbers);
    random_bits(own, sizeof own);
    harness_fill(weights, MOST, sizeof *weights);
    harness_fill(by_row, MOST, sizeof *by_row);
    harness_fill(by_column, MOST, sizeof *by_column);
    normalised(&c, by_column);
    dump("normalised", by_row, sizeof by_row);
    reflected(&c, &v);
    dump("reflected", by_row, sizeof by_row);
    add(&a, &b);
    dump("add", memory, sizeof memory);
    b.rows = m, b.columns = n;
    transposed(&a, &b);
    dump("transposed", memory, sizeof memory);
    invert(&p), smooth(&p, &q), invert_all(&q);
    dump("pixels", pixels, sizeof pixels);
    scale(&l, 3);
    dump("longs", numbers, sizeof numbers);
    behind_pointer(&n, memory[0]);
    behind_both(&b.data, &m);
    moved_down(&n, memory[0]);
    dump("behind", memory, sizeof memory);
    count = n, width = m, values = memory[1];
    global_bound(), global_array();
    dump("own", own, sizeof own);
    dump("values", memory, sizeof memory);
    global_bounds();
    outer_product(&d), tokens(&d), steps(&d, 3);
    dump("weights", weights, sizeof weights);
    dump("values", memory, sizeof memory);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(37, 29);
    run(1, 1);
    run(2, 64);
    run(0, 3);
    run(3, 0);
    return harness_end();
}
