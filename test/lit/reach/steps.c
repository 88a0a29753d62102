// Loops whose steps, strides and first values are variables, counters that are
// moved by hand, and arrays that change places from step to step.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 109, MOST = 2048 };

static float a[MOST], b[MOST], c[MOST];
static int places[MOST];

// == steps: constants

SHAPE void by_two(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i += 2)
        a[i] = b[i] * 2;
}

SHAPE void odd_ones(int n, float *restrict a)
{
    for (int i = 1; i < n; i += 2)
        a[i] = -i;
}

SHAPE void down_by_three(int n, float *restrict a, const float *restrict b)
{
    for (int i = n - 1; i >= 0; i -= 3)
        a[i] = b[i] + 1;
}

SHAPE void unrolled_by_hand(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i + 3 < n; i += 4) {
        a[i] = b[i];
        a[i + 1] = b[i + 1] * 2;
        a[i + 2] = b[i + 2] * 3;
        a[i + 3] = b[i + 3] * 4;
    }
}

SHAPE void unrolled_with_rest(int n, float *restrict a, const float *restrict b)
{
    int i = 0;

    for (; i + 1 < n; i += 2) {
        a[i] = b[i] * 2;
        a[i + 1] = b[i + 1] * 2;
    }
    for (; i < n; i++)
        a[i] = b[i] * 2;
}

// == steps: variables

SHAPE void by_variable(int n, int step, float *restrict a,
                       const float *restrict b)
{
    for (int i = 0; i < n; i += step)
        a[i] = b[i] * 2;
}

SHAPE void from_and_by_variable(int n, int first, int step, float *restrict a)
{
    for (int i = first; i < n; i += step)
        a[i] = i;
}

REFUSED("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine: 'i' changes "
        "by 'step' and may wrap around; use a signed counter")
void in_size_t(size_t n, size_t step, float *restrict a)
{
    for (size_t i = 0; i < n; i += step) // here
        a[i] = 3;
}

IN_PART("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine: its counter "
        "changes by 'size', which is not known to have one sign; use a "
        "constant step, and multiply in the subscripts")
void tiles_of_variable_size(int n, int size, float *restrict a,
                            const float *restrict b)
{
    for (int ii = 0; ii < n; ii += size) // here
        for (int i = ii; i < ii + size && i < n; i++)
            a[i] = b[i] + 2;
}

SHAPE void rows_by_variable(int n, int m, int step, float *restrict a)
{
    for (int i = 0; i < n; i += step)
        for (int j = 0; j < m; j++)
            a[i * m + j] = i + j;
}

// == strides: one variable

SHAPE void vector_of_stride(int n, int stride, float *restrict a,
                            const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i * stride] = b[i];
}

SHAPE void column(int n, int m, int j, float *restrict a,
                  const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i * m + j] += b[i];
}

SHAPE void two_strides(int n, int by_a, int by_b, float *restrict a,
                       const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i * by_a] += 2 * b[i * by_b];
}

SHAPE void two_counters(int n, int by_a, int by_b, float *restrict a,
                        const float *restrict b)
{
    int at_a = 0, at_b = 0;

    for (int i = 0; i < n; i++) {
        a[at_a] += 3 * b[at_b];
        at_a += by_a;
        at_b += by_b;
    }
}

SHAPE void pointers_of_stride(int n, int stride, float *restrict a,
                              const float *restrict b)
{
    for (int i = 0; i < n; i++, a += stride, b++)
        *a = *b * 2;
}

// == strides: several variables

SHAPE void plane_with_pitch(int n, int m, int pitch, float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * pitch + j] *= 2;
}

SHAPE void plane_of_strides(int n, int m, int by_row, int by_column,
                            float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * by_row + j * by_column] = b[i * m + j];
}

SHAPE void volume_of_strides(int n, int m, int l, int by_j, int by_k,
                             float *restrict a, const float *restrict b)
{
    for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                a[i + j * by_j + k * by_k] = 2 * b[i + j * by_j + k * by_k];
}

SHAPE void volume_in_place(int n, int m, int l, int by_j, int by_k, float *a)
{
    for (int k = 0; k < l; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                a[i + j * by_j + k * by_k] += 1;
}

SHAPE void sums_of_neighbours(int n, int by_j, int by_k, float *restrict a,
                              const float *restrict b)
{
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                a[i + j * by_j + k * by_k] = b[i - 1 + j * by_j + k * by_k] +
                                             b[i + 1 + j * by_j + k * by_k] +
                                             b[i + (j - 1) * by_j + k * by_k] +
                                             b[i + (j + 1) * by_j + k * by_k] +
                                             b[i + j * by_j + (k - 1) * by_k] +
                                             b[i + j * by_j + (k + 1) * by_k];
}

// == counters: begin above 0

SHAPE void packed_behind_three(int n, int m, float *restrict a)
{
    int k = 3;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = i + j;
}

SHAPE void packed_behind_variable(int n, int m, int k, float *restrict a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = i - j;
}

SHAPE void header_and_rows(int n, int m, float *restrict a,
                           const float *restrict b)
{
    int k = 0;

    a[k++] = n;
    a[k++] = m;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k++] = b[i * m + j];
}

IN_PART("loop not offloaded: which element of 'a' is written in line "
        "here+3 depends on data, multiplies counters, or may wrap around, "
        "and two iterations may write the same one; let each iteration "
        "write its own element, and read through the index"
        " || "
        "loop not offloaded: a subscript of 'a' in line here+3 is no affine "
        "function of loop counters and parameters (it has a counter of a "
        "loop around which changes by a variable); use sums of counters "
        "times constants, and signed or size_t counters")
int three_loops(int n, int m, int l, float *restrict a)
{
    int k = 0;

    for (int h = 0; h < l; h++)     // here
        for (int i = 0; i < n; i++) // here
            for (int j = 0; j < m; j++)
                a[k++] = h + i + j;
    return k;
}

SHAPE void down_to_zero(int n, float *restrict a)
{
    int k = n;

    while (k-- > 0)
        a[k] = k;
}

SHAPE void do_while(int n, float *restrict a)
{
    int i = 0;

    do {
        a[i] = 2 * i;
        i++;
    } while (i < n);
}

// == exchanges: pointers

SHAPE void swapped(int t, int n, float *a, float *b)
{
    for (int s = 0; s < t; s++) {
        float *old = a;

        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        a = b;
        b = old;
    }
}

SHAPE void rotated(int t, int n, float *a, float *b, float *c)
{
    for (int s = 0; s < t; s++) {
        float *old = a;

        for (int i = 1; i < n - 1; i++)
            c[i] = 2 * b[i] - a[i] + 0.25f * (b[i - 1] + b[i + 1]);
        a = b;
        b = c;
        c = old;
    }
}

struct pair {
    float *now, *next;
};

IN_PART("loop not offloaded: a pointer, bound or subscript is read from "
        "'p' in line here+1 again in each iteration, and a store in the "
        "loop could change it; copy it into a local variable before the "
        "loop, and use one contiguous array instead of an array of pointers")
void swapped_members(int t, int n, struct pair *p)
{
    for (int s = 0; s < t; s++) { // here
        float *old = p->now;

        for (int i = 1; i < n - 1; i++)
            p->next[i] = p->now[i - 1] + p->now[i + 1];
        p->now = p->next;
        p->next = old;
    }
}

SHAPE void swapped_local_members(int t, int n, float *a, float *b)
{
    struct pair p = {a, b};

    for (int s = 0; s < t; s++) {
        float *old = p.now;

        for (int i = 1; i < n - 1; i++)
            p.next[i] = p.now[i - 1] - p.now[i + 1];
        p.now = p.next;
        p.next = old;
    }
}

IN_PART("loop not offloaded: a subscript of 'a' in line here+1 is no "
        "affine function of loop counters and parameters (it is chosen by "
        "a condition, or has % by a number that is not constant); use sums "
        "of counters times constants, and signed or size_t counters")
void of_parity(int t, int n, float a[2][n])
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++) // here
            a[(s + 1) % 2][i] = a[s % 2][i - 1] + a[s % 2][i + 1];
}

SHAPES(2) void of_three(int t, int n, float a[3][n])
{
    for (int s = 2; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[s % 3][i] =
                2 * a[(s + 2) % 3][i] - a[(s + 1) % 3][i] + a[s % 3][i];
}

SHAPE void by_number(int t, int n, float a[2][MOST / 2])
{
    int now = 0;

    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            a[1 - now][i] = a[now][i - 1] + a[now][i + 1];
        now = 1 - now;
    }
}

HOST void run(int n, int m, int step)
{
    struct pair p = {a, b};

    harness_fill(b, MOST, sizeof *b);
    RUN(a, by_two(n, a, b));
    RUN(a, odd_ones(n, a));
    RUN(a, down_by_three(n, a, b));
    RUN(a, unrolled_by_hand(n, a, b));
    RUN(a, unrolled_with_rest(n, a, b));
    RUN(a, by_variable(n, step, a, b));
    RUN(a, from_and_by_variable(n, 3, step, a));
    RUN(a, in_size_t(n, step, a));
    RUN(a, tiles_of_variable_size(n, step, a, b));
    RUN(a, rows_by_variable(n, m, step, a));
    RUN(a, vector_of_stride(n, step, a, b));
    FLOATS(a, column(n, m + 1, m, a, b));
    FLOATS(a, two_strides(n, step, 2, a, b));
    FLOATS(a, two_counters(n, step, 2, a, b));
    RUN(a, pointers_of_stride(n, step, a, b));
    FLOATS(a, plane_with_pitch(n, m, m + 2, a));
    RUN(a, plane_of_strides(n, m, m + step, 1, a, b));
    RUN(a, volume_of_strides(m, m, 3, m + step, 3 * m * (m + step), a, b));
    FLOATS(a, volume_in_place(m, m, 3, m + step, 3 * m * (m + step), a));
    RUN(a, sums_of_neighbours(m, m + step, m * (m + step), a, b));
    RUN(a, packed_behind_three(n, m, a));
    RUN(a, packed_behind_variable(n, m, 1 + step, a));
    RUN(a, header_and_rows(n, m, a, b));
    RUN(a, places[0] = three_loops(m, m, 3, a));
    RUN(a, down_to_zero(n, a));
    RUN(a, do_while(n, a));
    FLOATS(a, swapped(5, n, a, b));
    FLOATS(a, rotated(4, n, a, b, c));
    dump("b", b, sizeof b), dump("c", c, sizeof c);
    FLOATS(a, swapped_members(3, n, &p));
    dump("b", b, sizeof b), dump("p", &p.now, 0);
    FLOATS(a, swapped_local_members(3, n, a, b));
    dump("b", b, sizeof b);
    FLOATS(a, of_parity(3, n, (float (*)[n])a));
    FLOATS(a, of_three(6, n, (float (*)[n])a));
    FLOATS(a, by_number(3, n, (float (*)[MOST / 2]) a));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(c, MOST, sizeof *c);
    run(N, 7, 3);
    run(5, 3, 1);
    run(1, 1, 2);
    run(0, 0, 7);
    return harness_end();
}
