// Prefix sums and the like: what integers are in each iteration that updates them.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <limits.h>
#include <stdint.h>

enum { MOST = 9000, ROWS = 40, COLUMNS = 200 };

static int a[MOST + 8], b[MOST + 8], c[MOST + 8];
static int64_t large[MOST + 8];
static short signals[MOST + 8];
static unsigned char bytes[MOST + 8];
static int matrix[ROWS * COLUMNS];
static float d[MOST + 8];

// == prefixes: what updates make of an integer, used in each iteration

SHAPE void running_sum(int n, const int *restrict x, int *restrict y)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

/* The sum before, as beginnings of rows, and the sum of all. */
SHAPE int beginnings(int n, int first, const int *restrict x, int *restrict y)
{
    int s = first;

    for (int i = 0; i < n; i++) {
        y[i] = s;
        s += x[i];
    }
    return s;
}

SHAPE void both(int n, const int *restrict x, int *restrict y, int *restrict z)
{
    int s = 3;

    for (int i = 0; i < n; i++) {
        y[i] = s * 2;
        s += x[i];
        z[i] = s - x[i] * 2;
    }
}

SHAPE void in_place(int n, int *x)
{
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1];
}

/* As the sort of NPB sums up how many keys there are. */
SHAPE void in_place_onward(int n, int *x)
{
    for (int i = 0; i < n - 1; i++)
        x[i + 1] += x[i];
}

SHAPE void backwards(int n, int *x)
{
    for (int i = n - 2; i >= 0; i--)
        x[i] += x[i + 1];
}

SHAPE void pointers(int n, const int *restrict lengths, int *restrict x)
{
    x[0] = 0;
    for (int i = 0; i < n; i++)
        x[i + 1] = x[i] + lengths[i];
}

/* Where the two may be one array. */
SHAPE void wherever(int n, const int *x, int *y)
{
    int s = 1;

    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

SHAPE void largest_so_far(int n, const int *restrict x, int *restrict y)
{
    int most = INT_MIN;

    for (int i = 0; i < n; i++) {
        most = x[i] > most ? x[i] : most;
        y[i] = most - x[i];
    }
}

SHAPE void smallest_from_behind(int n, const short *restrict x,
                                short *restrict y)
{
    short least = SHRT_MAX;

    for (int i = n - 1; i >= 0; i--) {
        y[i] = least;
        if (x[i] < least)
            least = x[i];
    }
}

SHAPE void parities(int n, const unsigned char *restrict x,
                    unsigned char *restrict y)
{
    unsigned char parity = 7;

    for (int i = 0; i < n; i++) {
        parity ^= x[i];
        y[i] = parity;
    }
}

/* They wrap. */
SHAPE void products(int n, const int *restrict x, unsigned *restrict y)
{
    unsigned p = 1;

    for (int i = 0; i < n; i++) {
        p *= (unsigned)x[i] | 1;
        y[i] = p;
    }
}

SHAPE int64_t long_sums(int n, const int *restrict x, int64_t *restrict y)
{
    int64_t s = 0;

    for (int i = 0; i < n; i++) {
        s += (int64_t)x[i] * x[i];
        y[i] = s;
    }
    return s;
}

/* How many there were, which is not how many there are. */
SHAPE void counted(int n, const int *restrict x, int *restrict y)
{
    int found = 0;

    for (int i = 0; i < n; i++) {
        if (x[i] > 20)
            found++;
        y[i] = found;
    }
}

SHAPE void subtracted(int n, const int *restrict x, int *restrict y)
{
    int left = 100000;

    for (int i = 0; i < n; i++) {
        left -= x[i] & 15;
        y[i] = left;
    }
}

SHAPE void two_at_once(int n, const int *restrict x, int *restrict y,
                       int *restrict z)
{
    int s = 0, most = 0;

    for (int i = 0; i < n; i++) {
        s += x[i];
        most = x[i] > most ? x[i] : most;
        y[i] = s;
        z[i] = most;
    }
}

/* What is added up is computed from other integers. */
SHAPE void of_a_product(int n, const int *restrict x, int *restrict y,
                        int *restrict z)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        int t = x[i] * x[i + 1];

        z[i] = t;
        s += t & 1023;
        y[i] = s;
    }
}

SHAPE void again_and_again(int n, int times, int *x)
{
    for (int t = 0; t < times; t++)
        for (int i = 1; i < n; i++)
            x[i] += x[i - 1];
}

/* Each row goes on with the sum of the rows before. */
SHAPE void through_rows(int n, int m, int x[restrict n][m])
{
    int s = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            s += x[i][j];
            x[i][j] = s;
        }
}

/* Sums of rows are needed in each row. */
SHAPE void of_rows(int n, int m, const int x[restrict n][m], int *restrict y)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        int row = 0;

        for (int j = 0; j < m; j++)
            row += x[i][j];
        y[i] = s;
        s += row;
    }
}

/* And what rows need is used in each of their elements. */
SHAPE void for_rows(int n, int m, const int *restrict x, int y[restrict n][m])
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        s += x[i];
        for (int j = 0; j < m; j++)
            y[i][j] = s + j;
    }
}

SHAPE void every_third(int n, const int *restrict x, int *restrict y)
{
    int s = 0;

    for (int i = 1; i < n; i += 3) {
        s += x[i];
        y[i] = s;
    }
}

/* Not all of them are used. */
SHAPE void at_even(int n, const int *restrict x, int *restrict y)
{
    int s = 0;

    for (int i = 0; i < n; i++) {
        s += x[i];
        if (i % 2 == 0)
            y[i] = s;
    }
}

/* What is added comes from the sum. */
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'y'); write results to an "
        "array that the loop does not read, or use one element per iteration "
        "instead of one scalar")
void of_itself(int n, const int *restrict x, int *restrict y)
{
    int s = 1;

    for (int i = 0; i < n; i++) { // here
        s += x[i] ^ s;
        y[i] = s;
    }
}

/* In memory from the begin. */
SHAPE void in_an_element(int n, const int *restrict x, int *restrict y,
                         int *restrict count)
{
    for (int i = 0; i < n; i++) {
        count[1] += x[i];
        y[i] = count[1] * 2;
    }
}

/* Another element may be read as well. */
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'count', 'y'); write "
        "results to an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
void in_two_elements(int n, const int *restrict x, int *restrict y,
                     int *restrict count)
{
    for (int i = 0; i < n; i++) { // here
        count[0] += x[i];
        y[i] = count[i % 2];
    }
}

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'x'); write results to an "
        "array that the loop does not read, or use one element per iteration "
        "instead of one scalar")
void floats(int n, float *x)
{
    for (int i = 1; i < n; i++) // here
        x[i] += x[i - 1];
}

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel ('s' is a result of floating-point numbers "
        "that depends on their order); allow another order with -ffast-math, or "
        "for sums and products with -mllvm -gpu-reassociate-reductions")
void running_float(int n, const float *restrict x, float *restrict y)
{
    float s = 0;

    for (int i = 0; i < n; i++) { // here
        s += x[i];
        y[i] = s;
    }
}

static void fill(void)
{
    for (int i = 0; i < MOST + 8; i++) {
        signals[i] = (short)(harness_random() * 30000);
        bytes[i] = (unsigned char)(harness_random() * 255);
        c[i] = (int)(harness_random() * 100);
    }
}

static void run(int n)
{
    int rows = n < ROWS ? n : ROWS;

    fill();
    RUN(b, running_sum(n, c, b));
    RUN(b, b[n] = beginnings(n, 17, c, b));
    INTEGERS(a, both(n, c, a, b));
    dump("b", b, sizeof b);
    INTEGERS(a, in_place(n, a));
    INTEGERS(a, in_place_onward(n, a));
    INTEGERS(a, backwards(n, a));
    RUN(b, pointers(n, c, b));
    INTEGERS(a, wherever(n, a, a));
    INTEGERS(a, wherever(n, c, a));
    RUN(b, largest_so_far(n, c, b));
    {
        short least[MOST];

        RUN(least, smallest_from_behind(n, signals, least));
    }
    {
        unsigned char parity[MOST];

        RUN(parity, parities(n, bytes, parity));
    }
    RUN(b, products(n, c, (unsigned *)b));
    RUN(large, large[n] = long_sums(n, c, large));
    RUN(b, counted(n, c, b));
    RUN(b, subtracted(n, c, b));
    INTEGERS(a, two_at_once(n, c, a, b));
    dump("b", b, sizeof b);
    INTEGERS(a, of_a_product(n, c, a, b));
    dump("b", b, sizeof b);
    INTEGERS(a, again_and_again(n, 3, a));
    INTEGERS(matrix, through_rows(rows, COLUMNS, (void *)matrix));
    RUN(b, of_rows(rows, n / ROWS + 1, (const void *)c, b));
    RUN(matrix, for_rows(rows, COLUMNS, c, (void *)matrix));
    RUN(b, every_third(n, c, b));
    RUN(b, at_even(n, c, b));
    INTEGERS(a, in_an_element(n, c, b, a));
    dump("b", b, sizeof b);
    INTEGERS(a, in_two_elements(n, c, b, a));
    dump("b", b, sizeof b);
    RUN(b, of_itself(n, c, b));
    FLOATS(d, floats(n, d));
    FLOATS(d, running_float(n, d, (float *)b));
    dump("b", b, sizeof b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(4097);
    run(65);
    run(2);
    return harness_end();
}
