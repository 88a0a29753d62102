// Elements that are read at places which are computed from counters by more
// than sums: pictures that are sampled and scaled, remainders, bits.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>
#include <stdlib.h>

enum { W = 45, H = 31, N = 64, MOST = 6 * W * H };

static unsigned char picture[W * H], larger[MOST];
static float a[N * N], b[N * N];

// == computed reads: scaled pictures

// Coordinates that are rounded down, and not beyond the last pixels.
SHAPE void between(int sw, int sh, const unsigned char *s, int dw, int dh,
                   unsigned char *d)
{
    float fx = (float)sw / (float)dw, fy = (float)sh / (float)dh;

    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++) {
            float at_x = ((float)x + 0.5f) * fx - 0.5f;
            float at_y = ((float)y + 0.5f) * fy - 0.5f;

            if (at_x < 0)
                at_x = 0;
            if (at_y < 0)
                at_y = 0;
            int x0 = (int)at_x, y0 = (int)at_y;
            int x1 = x0 + 1 < sw ? x0 + 1 : sw - 1;
            int y1 = y0 + 1 < sh ? y0 + 1 : sh - 1;
            float u = at_x - (float)x0, v = at_y - (float)y0;

            d[y * dw + x] = (unsigned char)((s[y0 * sw + x0] * (1 - u) +
                                             s[y0 * sw + x1] * u) *
                                                (1 - v) +
                                            (s[y1 * sw + x0] * (1 - u) +
                                             s[y1 * sw + x1] * u) *
                                                v +
                                            0.5f);
        }
}

SHAPE void nearest(int sw, int sh, const unsigned char *s, int dw, int dh,
                   unsigned char *d)
{
    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++)
            d[y * dw + x] = s[y * sh / dh * sw + x * sw / dw];
}

SHAPE void floors(int n, double step, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[(int)floor(fabs(i - 20.5) * step)];
}

// == computed reads: numbers of elements

SHAPE void remainder_of_product(int n, int k, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i * k % n];
}

SHAPE void partner(int n, int bit, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + from[i ^ bit];
}

SHAPE void distance(int n, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = from[abs(i * 3 - j * 2) / 3 * n % (n * n)];
}

SHAPE void hashed(int n, const float *from, float *to)
{
    for (unsigned i = 0; i < (unsigned)n; i++)
        to[i] = from[(i * 2654435761u) >> 26];
}

// A counter of few bits is no hash.
SHAPE void short_counters(int n, const unsigned short *from, long long *to)
{
    for (unsigned short k = 1; k < n; k++)
        for (int l = k; l <= 17; l++)
            to[0] = from[l];
}

// What is read may be what was written.
REFUSED("loop not offloaded: a subscript of 'a' in line here+1 is no affine "
        "function of loop counters and parameters (it is computed by an "
        "operation on bits, like ^ or <<); use sums of counters times "
        "constants, and signed or size_t counters")
void exchanged(int n, int bit, float *a)
{
    for (int i = 0; i < n; i++) // here
        a[i] += a[i ^ bit];
}

// == computed reads: numbers that were read

REFUSED("loop not offloaded: a subscript of 'from' in line here+1 is no affine "
        "function of loop counters and parameters (it depends on data, which "
        "is read from 'place'); use sums of counters times constants, and "
        "signed or size_t counters")
void truncated(int n, const float *place, const float *from, float *to)
{
    for (int i = 0; i < n; i++) // here
        to[i] = from[(int)place[i]];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < W * H; i++)
        picture[i] = (unsigned char)(harness_random() * 127 + 128);
    harness_fill(a, N * N, sizeof *a);
    RUN(larger, between(W, H, picture, 2 * W, 3 * H, larger));
    RUN(larger, between(W, H, picture, W / 2, H / 3, larger));
    RUN(larger, nearest(W, H, picture, 2 * W, 3 * H, larger));
    RUN(larger, nearest(W, H, picture, W - 7, H, larger));
    RUN(b, floors(N, 1.25, a, b));
    RUN(b, remainder_of_product(N, 11, a, b));
    RUN(b, partner(N, 8, a, b));
    RUN(b, distance(N, a, b));
    RUN(b, hashed(N, a, b));
    RUN(b, short_counters(9, (unsigned short *)a, (long long *)b));
    FLOATS(a, exchanged(N, 4, a));
    for (int i = 0; i < N; i++)
        a[i] = (float)(N - 1 - i) + 0.25f;
    RUN(b, truncated(N, a, a + N, b));
    return harness_end();
}
