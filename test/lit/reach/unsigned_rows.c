// Rows of unsigned numbers, as in code for images: y * w + x of 32 bits may wrap
// around, and is a row and a column in runs where it does not.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where it does, the run-time condition has the original loops run.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_DEVICE=emulated POLYGPU_PROFILE=lines %t.gpu others 2>&1 \
// RUN:   | %FileCheck --check-prefix=OTHERS %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
// OTHERS-DAG: scop scale {{.*}} declined=1 failed=0
// OTHERS-DAG: scop every_second {{.*}} declined=1 failed=0
// OTHERS-DAG: scop backwards {{.*}} declined=1 failed=0
#include "reach.h"

enum { MOST = 6000 };

static float a[MOST], b[MOST];
static int counts[MOST];

struct image {
    unsigned width, height;
    float *pixels;
};

// == subscripts: rows of unsigned numbers

SHAPE void scale(unsigned w, unsigned h, unsigned columns, float *to,
                 const float *from)
{
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < columns; x++)
            to[y * w + x] = from[y * w + x] * 2;
}

SHAPE void neighbours(unsigned w, unsigned h, float *to, const float *from)
{
    for (unsigned y = 1; y < h - 1; y++)
        for (unsigned x = 1; x < w - 1; x++)
            to[y * w + x] = from[(y - 1) * w + x] + from[(y + 1) * w + x] * 2 -
                            from[y * w + x - 1] + from[y * w + x + 1];
}

SHAPE void channels(unsigned w, unsigned h, float *to, const float *from)
{
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            for (unsigned c = 0; c < 3; c++)
                to[(y * w + x) * 3 + c] = from[y * w + x] * (float)(c + 1);
}

SHAPE void volume(unsigned w, unsigned h, unsigned d, float *to,
                  const float *from)
{
    for (unsigned z = 0; z < d; z++)
        for (unsigned y = 0; y < h; y++)
            for (unsigned x = 0; x < w; x++)
                to[(z * h + y) * w + x] = from[(z * h + y) * w + x] + 1;
}

SHAPE void transposed(unsigned w, unsigned h, float *to, const float *from)
{
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            to[x * h + y] = from[y * w + x];
}

SHAPE void triangle(unsigned n, float *to, const float *from)
{
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x <= y; x++)
            to[y * n + x] = from[x * n + y] * 3;
}

SHAPE void above(unsigned n, float *to, const float *from)
{
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = y + 1; x < n; x++)
            to[y * n + x] = from[x * n + y] * 3;
}

SHAPE void rests(int n, float *to, const float *from)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n - 1 - y; x++)
            to[(unsigned)y * n + x] = from[(unsigned)x * n + y] - 2;
}

SHAPE void counted_down(unsigned w, unsigned h, float *to, const float *from)
{
    for (unsigned y = h; y-- > 0;)
        for (unsigned x = 0; x < w; x++)
            to[y * w + x] = from[y * w + x] - 5;
}

SHAPE void converted(int w, int h, float *to, const float *from)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int i = (int)((unsigned)y * (unsigned)w + (unsigned)x);
            to[i] = from[i] * 0.5f;
        }
}

SHAPE void columns(unsigned w, unsigned h, int *to, const float *from)
{
    for (unsigned x = 0; x < w; x++) {
        int many = 0;
        for (unsigned y = 0; y < h; y++)
            many += from[y * w + x] > 0.5f;
        to[x] = many;
    }
}

SHAPE void window(unsigned w, unsigned h, unsigned k, float *to,
                  const float *from, const float *with)
{
    for (unsigned y = 0; y < h - k + 1; y++)
        for (unsigned x = 0; x < w - k + 1; x++) {
            float sum = 0;
            for (unsigned i = 0; i < k; i++)
                for (unsigned j = 0; j < k; j++)
                    sum += from[(y + i) * w + x + j] * with[i * k + j];
            to[y * w + x] = sum;
        }
}

SHAPE void behind(struct image *restrict to, const struct image *restrict from)
{
    for (unsigned y = 0; y < from->height; y++)
        for (unsigned x = 0; x < from->width; x++)
            to->pixels[y * from->width + x] =
                from->pixels[y * from->width + x] + 7;
}

/* A stride of -5, for example. */
SHAPE void backwards(unsigned step, unsigned first, unsigned n, float *to,
                     const float *from)
{
    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < 4; x++)
            to[first + y * step + x] = from[y * 4 + x];
}

/* A row of 2^31 elements has the same place as the first one. */
SHAPE void every_second(unsigned w, unsigned h, unsigned n, float *to,
                        const float *from)
{
    for (unsigned y = 0; y < h; y += 2)
        for (unsigned x = 0; x < n; x++)
            to[y * w + x] = from[y * n + x];
}

static void run(unsigned w, unsigned h)
{
    struct image one = {w, h, a}, other = {w, h, b};

    harness_fill(b, MOST, sizeof *b);
    RUN(a, scale(w, h, w, a, b));
    RUN(a, neighbours(w, h, a, b));
    RUN(a, channels(w, h, a, b));
    RUN(a, volume(w, h, 4, a, b));
    RUN(a, transposed(w, h, a, b));
    RUN(a, triangle(h, a, b));
    RUN(a, above(h, a, b));
    RUN(a, rests((int)h, a, b));
    RUN(a, counted_down(w, h, a, b));
    RUN(a, converted((int)w, (int)h, a, b));
    RUN(counts, columns(w, h, counts, b));
    RUN(a, window(w, h, 3, a, b, b + 17));
    RUN(a, behind(&one, &other));
    RUN(a, backwards(9, 5, h, a, b));
    RUN(a, every_second(w, h, w, a, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 33);
    run(7, 50);
    run(65, 5);
    if (argc > 1) {
        RUN(a, scale(0x80000000u, 1, 9, a, b));
        RUN(a, every_second(0x80000000u, 9, 30, a, b));
        RUN(a, backwards(-5u, 200, 33, a, b));
    }
    return harness_end();
}
