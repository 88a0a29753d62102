// Results that all iterations of a loop update: sums, products, bits, extremes
// and their places, of integers of each width, and of floating-point numbers
// where the order makes no difference.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>
#include <stdint.h>

enum { N = 451, M = 23 };

static int a[N], b[N], square[M * M], lines[M], sum_so_far[N];
static unsigned u[N];
static long l[N];
static short s[N];
static unsigned char c[N];
static float f[N], plane[M * M], sums[M];
static double d[N], one[1];
static long results[4];

// == reductions: integer sums

SHAPE int sum(int n, const int *a)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE long sum_in_long(int n, const int *a)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE long sum_of_longs(long n, const long *a)
{
    long sum = 7;

    for (long i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

SHAPE unsigned sum_of_bytes(int n, const unsigned char *a)
{
    unsigned sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE short sum_of_shorts(int n, const short *a)
{
    short sum = 1;

    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

SHAPE int difference(int n, const int *a)
{
    int left = 1000;

    for (int i = 0; i < n; i++)
        left -= a[i];
    return left;
}

SHAPE int inner_product(int n, const int *a, const int *b)
{
    int sum = 0;

    for (int i = n - 1; i >= 0; i--)
        sum += a[i] * b[i];
    return sum;
}

SHAPE int absolute_sum(int n, const int *a)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] < 0 ? -a[i] : a[i];
    return sum;
}

SHAPE void sum_of_element(int n, const int *a, long *to)
{
    for (int i = 0; i < n; i++)
        to[1] += a[i];
}

// == reductions: integer products

SHAPE unsigned product(int n, const unsigned *a)
{
    unsigned product = 1;

    for (int i = 0; i < n; i++)
        product *= a[i] | 1;
    return product;
}

SHAPE unsigned long product_of_longs(int n, const long *a)
{
    unsigned long product = 3;

    for (int i = 0; i < n; i++)
        product *= (unsigned long)a[i] | 1;
    return product;
}

SHAPE int sign_of_product(int n, const int *a)
{
    int sign = 1;

    for (int i = 0; i < n; i++)
        sign *= a[i] < 0 ? -1 : 1;
    return sign;
}

SHAPE short turned(int n, const int *a)
{
    short s = 3;

    for (int i = 0; i < n; i++)
        if (a[i] % 3 == 0)
            s = -s;
    return s;
}

// == reductions: bits

SHAPE unsigned all_bits(int n, const unsigned *a)
{
    unsigned bits = -1u;

    for (int i = 0; i < n; i++)
        bits &= a[i] | 0xff;
    return bits;
}

SHAPE unsigned char any_bit(int n, const unsigned char *a)
{
    unsigned char bits = 0;

    for (int i = 0; i < n; i++)
        bits |= a[i] & 0x3c;
    return bits;
}

SHAPE unsigned long parity(int n, const unsigned *a)
{
    unsigned long bits = 5;

    for (int i = 0; i < n; i++)
        bits ^= (unsigned long)a[i] << 3;
    return bits;
}

// == reductions: minima and maxima of integers

SHAPE int least(int n, const int *a)
{
    int least = 1 << 30;

    for (int i = 0; i < n; i++)
        if (a[i] < least)
            least = a[i];
    return least;
}

SHAPE int most_by_choice(int n, const int *a)
{
    int most = -5;

    for (int i = 0; i < n; i++)
        most = a[i] > most ? a[i] : most;
    return most;
}

SHAPE unsigned most_unsigned(int n, const unsigned *a)
{
    unsigned most = 0;

    for (int i = 0; i < n; i++)
        most = most >= a[i] ? most : a[i];
    return most;
}

SHAPE long least_of_longs(int n, const long *a)
{
    long least = 1L << 62;

    for (int i = 0; i < n; i++)
        least = least < a[i] ? least : a[i];
    return least;
}

SHAPE unsigned char most_of_bytes(int n, const unsigned char *a)
{
    unsigned char most = 0;

    for (int i = 0; i < n; i++)
        if (most < a[i])
            most = a[i];
    return most;
}

SHAPE int range(int n, const int *a)
{
    int least = a[0], most = a[0];

    for (int i = 1; i < n; i++) {
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
    }
    return most / 2 - least / 2;
}

// == reductions: maxima of floating-point numbers

SHAPE float largest_magnitude(int n, const float *a)
{
    float most = 0;

    for (int i = 0; i < n; i++)
        most = fmaxf(most, fabsf(a[i]));
    return most;
}

SHAPE double largest_distance(int n, const double *a, double from)
{
    double most = 0;

    for (int i = 0; i < n; i++) {
        double distance = fabs(a[i] - from);

        if (distance > most)
            most = distance;
    }
    return most;
}

SHAPE float largest(int n, const float *a)
{
    float most = a[0];

    for (int i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    return most;
}

// == reductions: maxima with their place

SHAPE int place_of_most(int n, const int *a)
{
    int most = a[0], place = 0;

    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            place = i;
        }
    return place;
}

SHAPE int last_place_of_least(int n, const short *a, long *to)
{
    int least = 32767, place = -1;

    for (int i = 0; i < n; i++)
        if (a[i] <= least) {
            least = a[i];
            place = i;
        }
    to[2] = least;
    return place;
}

SHAPE int place_of_largest(int n, const float *a)
{
    int place = 0;
    float most = a[0];

    for (int i = 1; i < n; i++)
        if (a[i] > most) {
            most = a[i];
            place = i;
        }
    return place;
}

SHAPE int last_place_of_smallest(int n, const double *a, double *to)
{
    int place = 0;
    double least = a[0];

    for (int i = 1; i < n; i++)
        if (a[i] <= least) {
            least = a[i];
            place = i;
        }
    to[0] = least;
    return place;
}

SHAPE int place_of_largest_magnitude(int n, const double *a)
{
    int place = 0;
    double most = fabs(a[0]);

    for (int i = 1; i < n; i++)
        if (fabs(a[i]) > most) {
            most = fabs(a[i]);
            place = i;
        }
    return place;
}

SHAPE int place_of_least_long(int n, const long *a, long *to)
{
    long least = a[0];
    int place = 0;

    for (int i = 1; i < n; i++)
        if (a[i] < least) {
            least = a[i];
            place = i;
        }
    to[3] = least;
    return place;
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel ('most' is the smallest or "
        "largest of floating-point numbers, and something else, like its "
        "index, is kept with it); look for the number in one loop, and for "
        "what belongs to it in another one")
int place_that_takes_nan(int n, const float *a)
{
    int place = 0;
    float most = a[0];

    for (int i = 1; i < n; i++) // here
        if (!(a[i] <= most)) {
            most = a[i];
            place = i;
        }
    return place;
}

// == reductions: in order, of what loops inside compute

SHAPE double sum_of_products(int n, int m, const double *a, const float *b)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double part = 0;

        for (int j = 0; j < m; j++)
            part += a[i] * (double)b[j];
        sum += part * a[i];
    }
    return sum;
}

SHAPE float distances(int n, const float *a)
{
    float all = 0;

    for (int i = 0; i < n; i++) {
        float near = 1;

        for (int j = 0; j < n; j++)
            near += 1 / (1 + (a[i] - a[j]) * (a[i] - a[j]));
        all -= near;
    }
    return all;
}

// == reductions: several results of a loop

SHAPE void mean_and_spread(int n, const int *a, long *to)
{
    long sum = 0, squares = 0;

    for (int i = 0; i < n; i++) {
        sum += a[i];
        squares += (long)a[i] * a[i];
    }
    to[0] = sum;
    to[1] = squares;
}

SHAPE void extremes_and_bits(int n, const int *a, const unsigned *b, long *to)
{
    int least = 0, most = 0;
    unsigned bits = 0;

    for (int i = 0; i < n; i++) {
        least = a[i] < least ? a[i] : least;
        most = a[i] > most ? a[i] : most;
        bits ^= b[i];
    }
    to[0] = least;
    to[1] = most;
    to[2] = bits;
}

// == reductions: under a condition

SHAPE int count(int n, const int *a)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            count++;
    return count;
}

SHAPE int count_equal(int n, const unsigned char *a, int what)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        count += a[i] == what;
    return count;
}

SHAPE long sum_where(int n, const int *a, const int *b)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > b[i])
            sum += a[i] - (long)b[i];
    return sum;
}

SHAPE int count_ways(int n, const int *a, long *to)
{
    int below = 0, above = 0;

    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            below++;
        else
            above += 2;
    to[0] = below;
    return above;
}

// == reductions: of nests

SHAPE int sum_of_square(int n, const int *a)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += a[i * n + j];
    return sum;
}

SHAPE int sum_of_triangle(int n, const int *a)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            sum ^= a[i * n + j];
    return sum;
}

SHAPE int trace(int n, const int *a)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i * n + i];
    return sum;
}

// == reductions: of rows and columns

SHAPE void rows(int n, int m, const int *a, int *to)
{
    for (int i = 0; i < n; i++) {
        int sum = 0;

        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        to[i] = sum;
    }
}

SHAPE void columns(int n, int m, const int *a, int *to)
{
    for (int j = 0; j < m; j++)
        to[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[j] += a[i * m + j];
}

SHAPE void largest_of_rows(int n, int m, const int *a, int *to)
{
    for (int i = 0; i < n; i++) {
        int most = a[i * m];

        for (int j = 1; j < m; j++)
            if (a[i * m + j] > most)
                most = a[i * m + j];
        to[i] = most;
    }
}

SHAPE void rows_of_floats(int n, int m, const float *a, float *to)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;

        for (int j = 0; j < m; j++)
            sum += a[i * m + j];
        to[i] = sum;
    }
}

// == reductions: in the source's order only

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel ('sum' is a result of "
        "floating-point numbers that depends on their order); allow another "
        "order with -ffast-math, or for sums and products with -mllvm "
        "-gpu-reassociate-reductions")
float sum_of_floats(int n, const float *a)
{
    float sum = 0;

    for (int i = 0; i < n; i++) // here
        sum += a[i];
    return sum;
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel ('product' is a result of "
        "floating-point numbers that depends on their order); allow another "
        "order with -ffast-math, or for sums and products with -mllvm "
        "-gpu-reassociate-reductions")
double product_of_doubles(int n, const double *a)
{
    double product = 1;

    for (int i = 0; i < n; i++) // here
        product *= a[i];
    return product;
}

/* See prefixes.c. */
SHAPE void prefix_sums(int n, const int *a, int *b)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel (the loops write 'value'); "
        "write results to an array that the loop does not read, or use one "
        "element per iteration instead of one scalar")
unsigned polynomial(int n, const unsigned *a, unsigned x)
{
    unsigned value = 0;

    for (int i = 0; i < n; i++) // here
        value = value * x + a[i];
    return value;
}

HOST void run(int n, int m)
{
    RESULT(sum(n, a));
    RESULT(sum_in_long(n, a));
    RESULT(sum_of_longs(n, l));
    RESULT(sum_of_bytes(n, c));
    RESULT(sum_of_shorts(n, s));
    RESULT(difference(n, a));
    RESULT(inner_product(n, a, b));
    RESULT(absolute_sum(n, a));
    RUN(results, sum_of_element(n, a, results));
    RESULT(product(n, u));
    RESULT(product_of_longs(n, l));
    RESULT(sign_of_product(n, a));
    RESULT(turned(n, a));
    RESULT(all_bits(n, u));
    RESULT(any_bit(n, c));
    RESULT(parity(n, u));
    RESULT(least(n, a));
    RESULT(most_by_choice(n, a));
    RESULT(most_unsigned(n, u));
    RESULT(least_of_longs(n, l));
    RESULT(most_of_bytes(n, c));
    RESULT(range(n, a));
    RESULT(largest_magnitude(n, f));
    RESULT(largest_distance(n, d, d[N / 2]));
    RESULT(largest(n, f));
    RESULT(place_of_most(n, a));
    RUN(results, results[3] = last_place_of_least(n, s, results));
    RESULT(place_of_largest(n, f));
    RESULT(last_place_of_smallest(n, d, one));
    dump("one", one, sizeof one);
    RESULT(place_of_largest_magnitude(n, d));
    RESULT(place_of_least_long(n, l, results));
    RESULT(place_that_takes_nan(n, f));
    RESULT(sum_of_products(n, m, d, f));
    RESULT(distances(n, f));
    RUN(results, mean_and_spread(n, a, results));
    RUN(results, extremes_and_bits(n, a, u, results));
    RESULT(count(n, a));
    RESULT(count_equal(n, c, c[N / 2]));
    RESULT(sum_where(n, a, b));
    RUN(results, results[1] = count_ways(n, a, results));
    RESULT(sum_of_square(m, square));
    RESULT(sum_of_triangle(m, square));
    RESULT(trace(m, square));
    RUN(lines, rows(m, m, square, lines));
    RUN(lines, columns(m, m, square, lines));
    RUN(lines, largest_of_rows(m, m, square, lines));
    RUN(sums, rows_of_floats(m, m, plane, sums));
    RESULT(sum_of_floats(n, f));
    RESULT(product_of_doubles(n, d));
    RUN(sum_so_far, prefix_sums(n, a, sum_so_far));
    RESULT(polynomial(n, u, u[N / 2]));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(u, sizeof u);
    random_bits(s, sizeof s);
    random_bits(c, sizeof c);
    for (int i = 0; i < N; i++) {
        a[i] = (int)(harness_random() * 500);
        b[i] = (int)(harness_random() * 500);
        l[i] = (long)(harness_random() * 1e6);
    }
    for (int i = 0; i < M * M; i++)
        square[i] = (int)(harness_random() * 500);
    harness_fill(plane, M * M, sizeof *plane);
    harness_fill(f, N, sizeof *f);
    harness_fill(d, N, sizeof *d);
    run(N, M);
    run(1, 1);
    run(0, 0);
    run(64, 4);
    return harness_end();
}
