// Loops that are offloaded under run-time conditions, which have to hold: other
// views of the same memory beside each other, in-place updates, neighbours in
// the row before, butterflies.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>

enum { N = 32, MOST = 4096 };

static float a[MOST], b[MOST], c[MOST];
static int x[MOST];
static double re[MOST], im[MOST];

// == run-time conditions: flat loops beside nests

SHAPES(2) void flat_before_nest(int n, int m, float *a)
{
    for (int i = 0; i < n * m; i++)
        a[i] = 0.5f * i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += i - j;
}

SHAPES(2) void flat_behind_nest(int n, float *restrict u, float *restrict v)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            v[i * n + j] = u[(i - 1) * n + j] + u[(i + 1) * n + j];
    for (int i = 0; i < n * n; i++)
        u[i] = v[i];
}

IN_PART("loop not offloaded: an array is accessed as rows and as one long "
        "row, like u[i * n + j] and u[k] with k < m * n, so that "
        "subscripts leave their rows for all but the smallest sizes; use "
        "the same subscripts in all loops")
void flat_in_time_steps(int t, int n, float *restrict u, float *restrict v)
{
    for (int s = 0; s < t; s++) { // here
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = u[i * n + j - 1] + u[i * n + j + 1];
        for (int i = 0; i < n * n; i++)
            u[i] = v[i];
    }
}

// How long the flat loop is says a size of its own, which could be less than a
// row, but hardly is.
SHAPES(2) void flat_of_another_size(int n, int m, int all, float *a)
{
    for (int k = 0; k < all; k++)
        a[k] = 0.5f * k;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += i - j;
}

IN_PART("loop not offloaded: an array is accessed as rows and as one long "
        "row, like u[i * n + j] and u[k] with k < m * n, so that "
        "subscripts leave their rows for all but the smallest sizes; use "
        "the same subscripts in all loops")
void flat_in_steps(int t, int n, int m, int all, float *restrict u,
                   float *restrict v)
{
    for (int s = 0; s < t; s++) { // here
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                v[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j];
        for (int k = 0; k < all; k++)
            u[k] = v[k] * 0.5f;
    }
}

SHAPE void border_behind_nest(int n, int m, float *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = i * j;
    for (int j = 0; j < m; j++)
        a[(n - 1) * m + j] = -1;
}

SHAPE void as_plane_and_volume(int n, int m, int l, float *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m * l; j++)
            a[i * m * l + j] = i + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                a[(i * m + j) * l + k] *= 2;
}

// == run-time conditions: rows before and behind

SHAPE void row_before(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[i * m + j - 1] + b[i * m + j];
}

SHAPE void row_behind(int n, int m, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[i * m + j] + b[i * m + j + 1];
}

SHAPE void last_of_row_before(int n, int m, float *restrict a,
                              const float *restrict b)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[i * m - 1] + b[i * m + j];
}

SHAPE void written_in_row_before(int n, int m, float *restrict a,
                                 const float *restrict b)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j - 1] = b[i * m + j];
}

// == run-time conditions: in place

SHAPE void waxpby(int n, float s, float t, const float *a, const float *b,
                  float *w)
{
    for (int i = 0; i < n; i++)
        w[i] = s * a[i] + t * b[i];
}

SHAPE void squared(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * from[i];
}

SHAPE void plane_in_place(int n, int m, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = 2 * from[i * m + j];
}

SHAPE void moved_forward(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i + n];
}

SHAPE void halves(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i + n] = a[i] * 2;
}

SHAPE void shifted_left(int n, float *a)
{
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
}

SHAPE void reversed(int n, float *a)
{
    for (int i = 0; i < n / 2; i++) {
        float t = a[i];

        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

SHAPE void transposed_in_place(int n, float *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float t = a[i * n + j];

            a[i * n + j] = a[j * n + i];
            a[j * n + i] = t;
        }
}

SHAPE void exchanged(int n, float *a, float *b)
{
    for (int i = 0; i < n; i++) {
        float t = a[i];

        a[i] = b[i];
        b[i] = t;
    }
}

SHAPE void even_from_odd(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[2 * i] = a[2 * i + 1] * 3;
}

// == run-time conditions: butterflies

IN_PART("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine: its counter "
        "changes by 'a computed value', which is not known to have one "
        "sign; use a constant step, and multiply in the subscripts")
void butterflies(int n, int half, double *x)
{
    for (int i = 0; i < n; i += 2 * half) // here
        for (int j = i; j < i + half; j++) {
            double u = x[j], v = x[j + half];

            x[j] = u + v;
            x[j + half] = u - v;
        }
}

SHAPE void butterflies_by_number(int n, int half, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < half; j++) {
            double u = x[2 * i * half + j], v = x[(2 * i + 1) * half + j];

            x[2 * i * half + j] = u + v;
            x[(2 * i + 1) * half + j] = u - v;
        }
}

IN_PART("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine: 'half' does "
        "not change by the same amount in each iteration; use a counter "
        "that does"
        " || "
        "loop not offloaded: the number of iterations of the loop in line "
        "here+1 is not known before it starts or is not affine: its "
        "counter changes by 'a computed value', which is not known to have "
        "one sign; use a constant step, and multiply in the subscripts")
void walsh_hadamard(int n, int *x)
{
    for (int half = 1; half < n; half *= 2)   // here
        for (int i = 0; i < n; i += 2 * half) // here
            for (int j = i; j < i + half; j++) {
                int u = x[j], v = x[j + half];

                x[j] = u + v;
                x[j + half] = u - v;
            }
}

SHAPE void stage_of_fft(int n, int half, double *re, double *im,
                        const double *restrict wr, const double *restrict wi)
{
    for (int i = 0; i < n; i += 2 * half)
        for (int j = 0; j < half; j++) {
            double r = re[i + j + half] * wr[j] - im[i + j + half] * wi[j];
            double s = re[i + j + half] * wi[j] + im[i + j + half] * wr[j];

            re[i + j + half] = re[i + j] - r;
            im[i + j + half] = im[i + j] - s;
            re[i + j] += r;
            im[i + j] += s;
        }
}

SHAPE void haar(int n, float *restrict a, const float *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] = 0.5f * (b[2 * i] + b[2 * i + 1]);
        a[n + i] = 0.5f * (b[2 * i] - b[2 * i + 1]);
    }
}

// A ring of n elements, of which two filters make a half each: whether n is
// negative is a part of no range that is compared.
SHAPES(2) void filtered_by_halves(size_t n, size_t taps, const float *low,
                                  const float *high, float *x, float *out)
{
    size_t half = n / 2, last = n - 1;

    for (size_t i = 0; i < n; i += 2) {
        float l = 0, h = 0;

        for (size_t k = 0; k < taps; k++) {
            l += low[k] * x[(i + k) & last];
            h += high[k] * x[(i + k) & last];
        }
        out[i / 2] += l;
        out[i / 2 + half] += h;
    }
    for (size_t i = 0; i < n; i++)
        x[i] = out[i];
}

SHAPE void ahead_in_place(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i + 8] + 1;
}

HOST void run(int n)
{
    int m = n + n % 3;

    RUN(a, flat_before_nest(n, m, a));
    FLOATS(a, flat_behind_nest(n, a, b));
    FLOATS(a, flat_in_time_steps(3, n, a, b));
    RUN(a, flat_of_another_size(n, m, n * m, a));
    FLOATS(a, flat_in_steps(3, n, m, n * m, a, b));
    RUN(a, border_behind_nest(n, m, a));
    RUN(a, as_plane_and_volume(n, n / 3, 5, a));
    harness_fill(b, MOST, sizeof *b);
    RUN(a, row_before(n, m, a, b));
    RUN(a, row_behind(n, m, a, b));
    RUN(a, last_of_row_before(n, m, a, b));
    RUN(a, written_in_row_before(n, m, a, b));
    FLOATS(c, waxpby(n, 2, 3, a, b, c));
    FLOATS(a, waxpby(n, 2, 3, a, b, a));
    FLOATS(b, waxpby(n, 2, 3, a, b, b));
    FLOATS(a, squared(n, b, a));
    FLOATS(a, squared(n, a, a));
    FLOATS(a, plane_in_place(n, m, b, a));
    FLOATS(a, plane_in_place(n, m, a, a));
    FLOATS(a, moved_forward(n, a));
    FLOATS(a, halves(n, a));
    FLOATS(a, shifted_left(n, a));
    FLOATS(a, reversed(n, a));
    FLOATS(a, transposed_in_place(n, a));
    FLOATS(a, exchanged(n, a, b));
    FLOATS(a, even_from_odd(n, a));
    FLOATS(c, filtered_by_halves((size_t)n, 6, b, b + 6, a, c));
    FLOATS(a, ahead_in_place(n, a + 4, a));
    for (int half = 1; half < n; half *= 2) {
        FLOATS(re, butterflies(n, half, re));
        FLOATS(re, butterflies_by_number(n / half / 2, half, re));
        FLOATS(re, stage_of_fft(n, half, re, im, re + 2 * N, re + 3 * N));
        dump("im", im, sizeof im);
    }
    INTEGERS(x, walsh_hadamard(n, x));
    RUN(a, haar(n, a, b));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(im, MOST, sizeof *im);
    run(N);
    run(4);
    run(1);
    run(0);
    return harness_end();
}
