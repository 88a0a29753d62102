// Smallest and largest numbers under conditions, and what goes with them: the
// index, or values of the iteration that the number is from.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <limits.h>
#include <math.h>

enum { N = 307 };

static double a[N], b[N];
static float f[N];
static int at[N], k[N], few[N];
static long wide[N];
static unsigned u[N];
static unsigned char seen[N];

// == reductions: extremes under conditions

SHAPE double among(int n, const double *x, const unsigned char *in, double m)
{
    for (int i = 0; i < n; i++)
        if (in[i] && x[i] > m)
            m = x[i];
    return m;
}

SHAPE float or_equal(int n, const float *x, const unsigned char *in, float m)
{
    for (int i = 0; i < n; i++)
        if (!in[i])
            if (x[i] <= m)
                m = x[i];
    return m;
}

SHAPE double magnitude(int n, const double *x, const unsigned char *in)
{
    double m = 0;

    for (int i = 0; i < n; i++)
        if (in[i] && fabs(x[i]) > m)
            m = fabs(x[i]);
    return m;
}

SHAPE double not_turned(int n, const double *x, const unsigned char *in,
                        double m)
{
    for (int i = 0; i < n; i++)
        if (in[i] != 3 && m < x[i] * x[i])
            m = x[i] * x[i];
    return m;
}

// == reductions: extremes of nests

SHAPE double of_matrix(int n, int m, const double *x, double most)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] > most)
                most = x[i * m + j];
    return most;
}

SHAPE float or_equal_of_matrix(size_t n, size_t m, const float *x, float least)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            if (x[i * m + j] <= least)
                least = x[i * m + j];
    return least;
}

SHAPE double of_triangle(int n, int m, const double *x, double least)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            if (x[i * m + j] < least)
                least = x[i * m + j];
    return least;
}

SHAPE double of_cube(int n, int m, const double *x, double most)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < m; k++)
                if (x[(i * m + j) * m + k] >= most)
                    most = x[(i * m + j) * m + k];
    return most;
}

SHAPE float of_part(int n, int m, const float *x, const unsigned char *in,
                    float most)
{
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m; j++)
            if (in[i * m + j] && x[i * m + j] > most)
                most = x[i * m + j];
    return most;
}

SHAPE float of_odd_cube(size_t n, size_t m, const float *x,
                        const unsigned char *in, float least)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++) {
                float e = x[(i * m + j) * m + k];

                if (in[(i * m + j) * m + k] & 1)
                    if (least > e)
                        least = e;
            }
    return least;
}

// == reductions: extremes under conditions, with an index

SHAPE int unvisited(int n, const int *distance, const unsigned char *visited)
{
    int least = INT_MAX, v = -1;

    for (int i = 0; i < n; i++)
        if (!visited[i] && distance[i] <= least)
            least = distance[i], v = i;
    return v;
}

SHAPE int first_of_few(int n, const int *x, const unsigned char *in, int *m)
{
    int most = INT_MIN, v = -7;

    for (int i = 0; i < n; i++)
        if (in[i] && x[i] > most) {
            most = x[i];
            v = i;
        }
    *m = most;
    return v;
}

SHAPE int last_of_unsigned(int n, const unsigned *x, const unsigned char *in)
{
    unsigned most = 0;
    int v = -7;

    for (int i = 0; i < n; i++)
        if (in[i] && x[i] >= most) {
            most = x[i];
            v = i;
        }
    return v;
}

SHAPE int pivot(int n, const double *x, const unsigned char *used, double *m)
{
    double most = 0;
    int v = -1;

    for (int i = 0; i < n; i++)
        if (!used[i] && fabs(x[i]) > most) {
            most = fabs(x[i]);
            v = i;
        }
    *m = most;
    return v;
}

SHAPE int of_floats(int n, const float *x, const unsigned char *in, float *m)
{
    float least = *m;
    int v = -1;

    for (int i = 0; i < n; i++)
        if (in[i] && x[i] <= least) {
            least = x[i];
            v = i;
        }
    *m = least;
    return v;
}

// == reductions: extremes, and values that go with them

SHAPE double nearest(int n, const double *x, const double *label)
{
    double least = 1e300, result = -1;

    for (int i = 0; i < n; i++) {
        double d = x[i] * x[i];

        if (d < least) {
            least = d;
            result = label[i];
        }
    }
    return result;
}

SHAPE double through_indices(int n, const double *x, const double *y,
                             const int *list, int *which)
{
    double least = 1e20;
    int v = -1;

    for (int i = 0; i < n; i++) {
        int e = list[i];
        double d = x[e] * x[e];

        if (y[e] != 0 && d < least) {
            least = d;
            v = e;
        }
    }
    *which = v;
    return least;
}

SHAPE double three_values(int n, const double *x, const double *y,
                          const unsigned char *in, int *i1, float *f1)
{
    double most = -1, with = 5;
    int i0 = -3;
    float f0 = 2;

    for (int i = 1; i < n; i++)
        if (in[i] > 1 && x[i] * y[i - 1] >= most) {
            most = x[i] * y[i - 1];
            with = 3 * y[i] + x[i - 1];
            i0 = 2 * i + 5;
            f0 = (float)i * 0.5f;
        }
    *i1 = i0;
    *f1 = f0;
    return with;
}

SHAPE long by_long(int n, const long *x, const int *list, const float *y,
                   float *with)
{
    long most = 3;
    float f0 = -1;

    for (int i = 2; i < n; i++) {
        long e = x[list[i]];

        if (x[i] != 0)
            if (e > most) {
                most = e;
                f0 = y[list[i]] * 3;
            }
    }
    *with = f0;
    return most;
}

SHAPE int two_ways(int n, const int *x, const int *y, int *other)
{
    int least = INT_MAX, p = -1, q = -2;

    for (int i = 0; i < n; i++)
        if (x[i] < least) {
            least = x[i];
            p = i;
            q = y[i];
        }
    *other = q;
    return p;
}

// What the loop before has written is on the device.
SHAPE double behind_another(int n, double *to, const double *x,
                            const double *y)
{
    double most = -1e300, with = 0;

    for (int i = 0; i < n; i++)
        to[i] = x[i] - 2 * y[i];
    for (int i = 0; i < n; i++)
        if (x[i] > most) {
            most = x[i];
            with = to[i];
        }
    return with;
}

// == reductions: more uses, or a NaN is taken: stays

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel ('least' is the smallest or largest of "
        "floating-point numbers, and something else, like its index, is kept "
        "with it); look for the number in one loop, and for what belongs to it "
        "in another one")
int used_inside(int n, const double *x, const int *y)
{
    double least = 1e300;
    int result = -1, sum = 0;

    for (int i = 0; i < n; i++) { // here
        sum += result;
        if (x[i] < least) {
            least = x[i];
            result = y[i];
        }
    }
    return sum + result;
}


REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'm'); write results to "
        "an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
double or_a_nan(int n, const double *x, const unsigned char *in, double m)
{
    for (int i = 0; i < n; i++) // here
        if (in[i] && !(x[i] <= m))
            m = x[i];
    return m;
}

// Of values of which some are equal, zeros, infinities or no numbers.
HOST double some(int way)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1};
    double r = harness_random(), size = r < 0 ? -r : r;

    if (way > 0 && size < 0.3)
        return special[(int)(size * 20) % (way > 1 ? 6 : 2)];
    return way > 1 ? (int)(r * 3) : r;
}

HOST void fill(int way)
{
    for (int i = 0; i < N; i++) {
        a[i] = some(way);
        b[i] = some(way > 1);
        f[i] = (float)some(way);
        at[i] = (int)((harness_random() + 1.5) / 3 * N) % N;
        k[i] = (int)(harness_random() * (way ? 5 : 1e9));
        wide[i] = k[i] % 50;
        few[i] = i % 3 ? INT_MIN : INT_MAX;
        u[i] = (unsigned)(int)(harness_random() * (way ? 3 : 2e9));
        seen[i] = way == 3 ? 0 : (unsigned char)((harness_random() + 1) * 2);
    }
}

HOST void run(int n)
{
    int v = 0;
    double m = -2;
    float g = 3;

    RESULT(among(n, a, seen, -0.0));
    RESULT(among(n, a, seen, NAN));
    RESULT(or_equal(n, f, seen, 0.0f));
    RESULT(magnitude(n, a, seen));
    RESULT(not_turned(n, a, seen, -1));
    RESULT(of_matrix(n / 18, 18, a, -1));
    RESULT(of_matrix(n / 18, 18, a, -0.0));
    RESULT(of_matrix(18, n / 18, a, NAN));
    RESULT(or_equal_of_matrix(n / 17, 17, f, 0.0f));
    RESULT(or_equal_of_matrix(17, n / 17, f, 3.0f));
    RESULT(of_triangle(n / 18, 18, a, 0.0));
    RESULT(of_triangle(n / 18, 18, a, 1e9));
    RESULT(of_cube(n / 49, 7, a, -0.0));
    RESULT(of_cube(n / 49, 7, a, -1e9));
    RESULT(of_part(n / 18, 18, f, seen, -2));
    RESULT(of_odd_cube((size_t)n / 49, 7, f, seen, 0.5f));
    RESULT(unvisited(n, k, seen));
    RESULT(unvisited(n, few, seen));
    RESULT(first_of_few(n, k, seen, &v));
    RESULT(v);
    RESULT(first_of_few(n, few, seen, &v));
    RESULT(v);
    RESULT(last_of_unsigned(n, u, seen));
    RESULT(pivot(n, a, seen, &m));
    RESULT(m);
    RESULT(of_floats(n, f, seen, &g));
    RESULT(g);
    RESULT(nearest(n, a, b));
    RESULT(through_indices(n, a, b, at, &v));
    RESULT(v);
    RESULT(three_values(n, a, b, seen, &v, &g));
    RESULT(v);
    RESULT(g);
    RESULT(by_long(n, wide, at, f, &g));
    RESULT(g);
    RESULT(two_ways(n, k, at, &v));
    RESULT(v);
    RESULT(behind_another(n, b, a, b));
    RESULT(used_inside(n, a, k));
    RESULT(or_a_nan(n, a, seen, 0));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int way = 0; way < 4; way++) {
        fill(way);
        run(N);
    }
    run(1);
    run(0);
    return harness_end();
}
