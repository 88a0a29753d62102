// Updates of elements whose index is data: counted, weighted, of bits and
// extremes, in nests and under conditions; and those that stay.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 211, M = 13, BINS = 256 };

static int idx[N], other[N], w[N], count[BINS], own[N];
static long long wide[N], sums[BINS];
static unsigned char text[N * M], bytes[BINS];
static float x[N], c[BINS];
static unsigned bits[N];

static struct image {
    int width, height;
    unsigned bins[BINS];
} picture = {M, N, {0}};

// == indirect updates: counted

SHAPE void histogram(int n, int *restrict count,
                     const unsigned char *restrict text)
{
    for (int i = 0; i < n; i++)
        count[text[i]]++;
}

SHAPE void of_image(int n, int m, const unsigned char *restrict text,
                    int *restrict to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[text[i * m + j]]++;
}

SHAPE void of_values(int n, const float *restrict from, float scale)
{
    for (int i = 0; i < n; i++)
        count[(int)((from[i] + 2) * scale) & 255]++;
}

SHAPE void of_member(struct image *p, const unsigned char *restrict text)
{
    for (int i = 0; i < p->height; i++)
        for (int j = 0; j < p->width; j++)
            p->bins[text[i * M + j]]++;
}

SHAPE void down(int n, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[at[i]]--;
}

// == indirect updates: weighted

SHAPE void weighted(int n, int *restrict to, const int *restrict at,
                    const int *restrict with)
{
    for (int i = 0; i < n; i++)
        to[at[i]] += with[i];
}

SHAPE void weighted_long(int n, long long *restrict to, const int *restrict at,
                         const long long *restrict with)
{
    for (int i = 0; i < n; i++)
        to[at[i]] -= 3 * with[i];
}

SHAPE void two_dimensions(int n, int (*restrict to)[16],
                          const int *restrict row, const int *restrict column)
{
    for (int i = 0; i < n; i++)
        to[row[i] & 15][column[i] & 15] += i;
}

SHAPE void twice(int n, int *restrict to, const int *restrict from,
                 const int *restrict into)
{
    for (int i = 0; i < n; i++) {
        to[from[i]] -= 2;
        to[into[i]] += 2;
    }
}

SHAPE void beside(int n, int *restrict to, const int *restrict at,
                  int *restrict also)
{
    for (int i = 0; i < n; i++) {
        to[at[i]]++;
        also[i] = 2 * at[i];
    }
}

SHAPE void of_neighbours(int n, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++) {
        to[at[i]]++;
        to[at[i] + 1] += 2;
    }
}

// == indirect updates: bits, minima and maxima

SHAPE void set_bits(int n, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[at[i]] |= 1 << (i & 31);
}

SHAPE void clear_bits(int n, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[at[i]] &= ~i;
}

SHAPE void toggle_bits(int n, int *restrict to, const int *restrict at,
                       const unsigned *restrict with)
{
    for (int i = 0; i < n; i++)
        to[at[i]] ^= (int)with[i];
}

SHAPE void largest(int n, int *restrict to, const int *restrict at,
                   const int *restrict from)
{
    for (int i = 0; i < n; i++)
        to[at[i]] = to[at[i]] > from[i] ? to[at[i]] : from[i];
}

SHAPE void smallest(int n, long long *restrict to, const int *restrict at,
                    const long long *restrict from)
{
    for (int i = 0; i < n; i++)
        to[at[i]] = to[at[i]] < from[i] ? to[at[i]] : from[i];
}

// == indirect updates: under a condition

SHAPE void where_positive(int n, int *restrict to, const int *restrict at,
                          const float *restrict from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            to[at[i]]++;
}

SHAPE void one_or_other(int n, int *restrict to, const int *restrict at,
                        const int *restrict or_at, const float *restrict from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            to[at[i]]++;
        else
            to[or_at[i]] += 2;
}

// == indirect updates: of one element, under a condition

SHAPE void hits_of(int n, int *restrict to, const float *restrict from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0.5f)
            to[3]++;
}

SHAPE void largest_where(int n, int *restrict to, const int *restrict from)
{
    for (int i = 0; i < n; i++)
        if (from[i] & 1)
            *to = *to > from[i] ? *to : from[i];
}

// == indirect updates: cleared before and read behind

SHAPE void cleared(int n, int bins, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < bins; i++)
        to[i] = 0;
    for (int i = 0; i < n; i++)
        to[at[i]]++;
    for (int i = 0; i < bins; i++)
        to[i] *= 3;
}

// == indirect updates: stay

REFUSED("loop not offloaded: which element of 'to' is updated in line here+1 "
        "depends on data, which is read from 'at', and two iterations may "
        "update the same one, and floating-point numbers round differently in "
        "another order; use integers, or a loop over the elements with one "
        "inside that sums up what belongs to each")
void of_floats(int n, float *restrict to, const int *restrict at,
               const float *restrict from)
{
    for (int i = 0; i < n; i++) // here
        to[at[i]] += from[i];
}

SHAPE void of_bytes(int n, unsigned char *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[at[i]]++;
}

SHAPE void largest_by_branch(int n, int *restrict to, const int *restrict at,
                             const int *restrict from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > to[at[i]])
            to[at[i]] = from[i];
}

REFUSED("loop not offloaded: which element of 'to' is updated in line here+1 "
        "depends on data, which is read from 'at', and two iterations may "
        "update the same one, and devices have no such atomic operation; add, "
        "subtract, or use &, |, ^, a minimum or a maximum")
void multiplied(int n, int *restrict to, const int *restrict at)
{
    for (int i = 0; i < n; i++) // here
        to[at[i]] *= 3;
}

REFUSED("loop not offloaded: which element of 'to' is updated in line here+1 "
        "depends on data, which is read from 'at', and two iterations may "
        "update the same one, and the value before is used for something else, "
        "so that their order counts; use it in another loop")
void numbered(int n, int *restrict to, const int *restrict at,
              int *restrict number)
{
    for (int i = 0; i < n; i++) // here
        number[i] = to[at[i]]++;
}

REFUSED("loop not offloaded: 'to' is updated at places that depend on data, "
        "and read or written otherwise in the same loops, so that the order "
        "counts; use another array, or other loops")
void read_as_well(int n, int *restrict to, const int *restrict at,
                  int *restrict also)
{
    for (int i = 0; i < n; i++) { // here
        to[at[i]]++;
        also[i] = to[i];
    }
}

REFUSED("loop not offloaded: 'to' is updated at places that depend on data, "
        "and read or written otherwise in the same loops, so that the order "
        "counts; use another array, or other loops")
void mixed(int n, int *restrict to, const int *restrict at,
           const int *restrict or_at)
{
    for (int i = 0; i < n; i++) { // here
        to[at[i]]++;
        to[or_at[i]] |= 4;
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

HOST void fill(void)
{
    for (int i = 0; i < N; i++) {
        idx[i] = place(BINS - 1);
        other[i] = place(BINS);
        w[i] = place(1 << 30);
        wide[i] = (long long)place(1 << 30) << place(30);
        x[i] = (float)harness_random();
    }
    random_bits(bits, sizeof bits);
    random_bits(text, sizeof text);
}

HOST void run(int n, int m)
{
    INTEGERS(count, histogram(n, count, text));
    INTEGERS(count, of_image(n, m, text, count));
    INTEGERS(count, of_values(n, x, 100));
    picture.height = n;
    picture.width = m;
    of_member(&picture, text);
    dump("picture", &picture, sizeof picture);
    INTEGERS(count, down(n, count, idx));
    INTEGERS(count, weighted(n, count, idx, w));
    INTEGERS(sums, weighted_long(n, sums, idx, wide));
    INTEGERS(count, two_dimensions(n, (int (*)[16])count, idx, other));
    INTEGERS(count, twice(n, count, idx, other));
    INTEGERS(count, beside(n, count, idx, own));
    dump("own", own, sizeof own);
    INTEGERS(count, of_neighbours(n, count, idx));
    INTEGERS(count, set_bits(n, count, idx));
    INTEGERS(count, clear_bits(n, count, idx));
    INTEGERS(count, toggle_bits(n, count, idx, bits));
    INTEGERS(count, largest(n, count, idx, other));
    INTEGERS(sums, smallest(n, sums, idx, wide));
    INTEGERS(count, where_positive(n, count, idx, x));
    INTEGERS(count, one_or_other(n, count, idx, other, x));
    INTEGERS(count, hits_of(n, count, x));
    INTEGERS(count, largest_where(n, count, w));
    INTEGERS(count, cleared(n, BINS, count, idx));
    FLOATS(c, of_floats(n, c, idx, x));
    INTEGERS(bytes, of_bytes(n, bytes, idx));
    INTEGERS(count, largest_by_branch(n, count, idx, own));
    INTEGERS(count, multiplied(n, count, idx));
    INTEGERS(count, numbered(n, count, idx, own));
    dump("own", own, sizeof own);
    INTEGERS(count, read_as_well(n, count, idx, own));
    dump("own", own, sizeof own);
    INTEGERS(count, mixed(n, count, idx, other));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    fill();
    run(N, M);
    run(1, 1);
    run(0, 0);
    return harness_end();
}
