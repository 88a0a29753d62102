// Loops read their bounds, rows and pointers again in each iteration, and
// sometimes a store of the loop changes them: the run-time condition knows by
// the ranges, and the loops that were written run.  Where nothing is changed
// they run on the device, also with the bound right beside what is written.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref within
// RUN: %run_auto %t.gpu within 2>&1 | %FileCheck --check-prefix=WITHIN %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref anywhere
// RUN: %run_auto %t.gpu anywhere 2>&1 | %FileCheck --check-prefix=ANYWHERE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART-DAG: polygpu: scop behind_pointer {{.*}} runs=3 declined=0 failed=0
// APART-DAG: polygpu: kernel behind_pointer{{.*}} launches=3
// APART-DAG: polygpu: scop rows {{.*}} runs=2 declined=0 failed=0
// APART-DAG: polygpu: kernel rows{{.*}} launches=2
// APART-DAG: polygpu: scop pointer {{.*}} runs=1 declined=0 failed=0
// APART-DAG: polygpu: kernel pointer{{.*}} launches=1
// APART-DAG: polygpu: scop scattered {{.*}} runs=6 declined=0 failed=0
// APART-DAG: polygpu: kernel scattered{{.*}} launches=6
// APART-DAG: polygpu: scop later {{.*}} runs=1 declined=0 failed=0
// APART-DAG: polygpu: scop flat {{.*}} runs=2 declined=0 failed=0
//
// WITHIN: polygpu: scop behind_pointer {{.*}} runs=0 declined=2 failed=0
// WITHIN: polygpu: kernel behind_pointer{{.*}} launches=0
// WITHIN: polygpu: scop rows {{.*}} runs=0 declined=2 failed=0
// WITHIN: polygpu: scop pointer {{.*}} runs=0 declined=2 failed=0
// WITHIN: polygpu: scop later {{.*}} runs=0 declined=1 failed=0
// WITHIN: polygpu: scop flat {{.*}} runs=0 declined=1 failed=0
//
// ANYWHERE-DAG: polygpu: scop behind_pointer {{.*}} runs={{[1-9][0-9]*}} declined={{[1-9][0-9]*}} failed=0
// ANYWHERE-DAG: polygpu: scop scattered {{.*}} runs={{[1-9][0-9]*}} declined={{[0-9]+}} failed=0
// ANYWHERE-DAG: polygpu: scop rows {{.*}} runs={{[1-9][0-9]*}} declined={{[1-9][0-9]*}} failed=0
#include "exec.h"

#include <string.h>

enum { N = 200 };

static int pool[2 * N];

struct square {
    int rows, columns;
    int *data;
};

struct bytes {
    long n;
    unsigned char *data;
};

// What is written ends the loop early, or later, if it is the bound.
NOINLINE static void behind_pointer(const int *n, int *a)
{
    for (int i = 0; i < *n; i++)
        a[i] = (i * 7 + 3) % 40;
}

NOINLINE static void rows(const int *n, const int *m, int *a)
{
    for (int i = 0; i < *n; i++)
        for (int j = 0; j < *m; j++)
            a[i * 10 + j] = (i + 3 * j) % 9 + 1;
}

// The pointer, or the bound, is written where it is itself.
NOINLINE static void pointer(struct bytes *v, const unsigned char *from)
{
    for (long i = 0; i < v->n; i++)
        v->data[i] = from[i] / 2;
}

// The bound is read after something was written, which may be the bound.
NOINLINE static void later(int *a, const int *n, int *b)
{
    int i = 0;

    do {
        a[i] = i % 7 + 2;
        b[i] = i;
        i++;
    } while (i < *n);
}

NOINLINE static void flat(struct square *s)
{
    for (int i = 0; i < s->rows * s->columns; i++)
        s->data[i] = s->data[i] / 2 + 1;
}

// No nest for its rows: there are versions of the inner loop.
NOINLINE static void scattered(const int *n, const int *m, int *a)
{
    int row = 1;

    for (int i = 0; i < *n; i++) {
        for (int j = 0; j < *m; j++)
            a[row + j] = (i + 2 * j) % 8 + 1;
        row = (row * 5 + i) % 83;
    }
}

static void apart(void)
{
    static unsigned char data[N];
    int n = 40, m = 7, *bound = pool + 40;
    struct bytes v = {N, data};
    struct square s = {9, 11, pool + 10}, one = {1, 1, pool};

    random_bits(data, sizeof data);
    behind_pointer(&n, pool);
    // Right behind what is written.
    *bound = 40;
    behind_pointer(bound, pool);
    // Right in front of it.
    *bound = 1;
    behind_pointer(bound, bound + 1);
    n = 0;
    behind_pointer(&n, &n);
    n = 10;
    rows(&n, &m, pool + 100);
    // Between the rows is not apart by ranges; behind them it is.
    bound = pool + 100 + 97;
    *bound = 7;
    rows(&n, bound, pool + 100);
    m = 0;
    rows(&n, &m, pool + 100);
    pointer(&v, (unsigned char *)(pool + 150));
    n = 6, m = 5;
    scattered(&n, &m, pool + 20);
    n = 30;
    later(pool + 50, &n, pool + 100);
    flat(&s);
    flat(&one);
    dump("data", data, sizeof data);
}

static void within(void)
{
    static union {
        unsigned char all[256];
        struct bytes v;
    } page __attribute__((aligned(256)));
    unsigned char from[16] = {0};
    struct square s;
    int *n = pool + 20, *m = pool + 130;

    *n = 40;
    behind_pointer(n, pool);
    *n = 25;
    behind_pointer(n, pool + 18);
    *n = 10, *m = 5;
    rows(n, m, pool + 100);
    *m = 0;
    rows(m, n, pool + 130 - 3);
    *m = 5;
    rows(n, m, pool + 100);
    // Its lowest byte becomes that of another place in the page.
    page.v.data = (unsigned char *)&page.v.data, page.v.n = 3;
    from[0] = 2 * 64;
    pointer(&page.v, from);
    dump("page", page.all + 64, 3);
    page.v.data = (unsigned char *)&page.v.n, page.v.n = 9;
    memset(from, 0, sizeof from), from[0] = 8;
    pointer(&page.v, from);
    dump("length", &page.v.n, sizeof page.v.n);
    pool[60] = 30;
    later(pool + 50, pool + 60, pool + 100);
    s.rows = 5, s.columns = 6, s.data = &s.rows;
    s.rows = 2, s.columns = 1;
    flat(&s);
    dump("square", &s, 2 * sizeof(int));
}

static int below(int n)
{
    unsigned bits;

    random_bits(&bits, sizeof bits);
    return (int)(bits % (unsigned)n);
}

// The bound is at a place of its own, where something may be written or not.
static void anywhere(void)
{
    for (int i = 0; i < 60; i++) {
        int start = 10 + below(N), near = start - 10 + below(60);
        int *n = pool + near, *m = pool + below(2 * N);

        *n = below(35);
        behind_pointer(n, pool + start);
        dump("pool", pool, sizeof pool);
        *m = below(9);
        *n = below(9);
        rows(n, m, pool + start);
        dump("pool", pool, sizeof pool);
        *m = below(9);
        *n = below(9);
        scattered(m, n, pool + start);
        dump("pool", pool, sizeof pool);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < 2 * N; i++)
        pool[i] = below(10);
    if (!strcmp(argv[1], "apart"))
        apart();
    else if (!strcmp(argv[1], "within"))
        within();
    else
        anywhere();
    dump("pool", pool, sizeof pool);
    return harness_end();
}
