// Arrays and scalars of different types in one structure, in arrays of
// structures, and in structures inside of these: each field that differs is an
// array of its own on the device, and what lies between its elements, padding
// and other fields, is neither changed nor needed.  Fields of one type stay one
// array.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop scale {{.*}} runs=2 declined=0 failed=0 bytes_in=8200 bytes_out=8000
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop bound {{.*}} runs=1 declined=0 failed=0 bytes_in=3280 bytes_out=3200
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop global {{.*}} runs=1 declined=0 failed=0 bytes_in=4080 bytes_out=4000
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop points {{.*}} runs=1 declined=0 failed=0 bytes_in=780 bytes_out=780
// CHECK: polygpu: scop grid {{.*}} runs=1 declined=0 failed=0 bytes_in=4176 bytes_out=3132
// CHECK: polygpu: scop complex {{.*}} runs=1 declined=0 failed=0 bytes_in=800 bytes_out=800
// CHECK: polygpu: scop nested {{.*}} runs=1 declined=0 failed=0 bytes_in=1056 bytes_out=1024
// CHECK: polygpu: scop shapes {{.*}} runs=1 declined=0 failed=0 bytes_in=4024 bytes_out=3680
#include "exec.h"

enum { N = 25 };

struct matrix {
    double a[N][N];
    float b[N];
    int n;
};

struct point {
    double x, y, z;
    float w;
};

struct pair {
    float re, im;
};

struct row {
    double a[16];
    float w;
};

struct rows {
    struct row m[8];
};

/* One type, other rows. */
struct shapes {
    double a[N][N], pad, b[7][40], v[60];
};

APART void scale(struct matrix *s, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->a[i][j] = s->a[i][j] * s->b[j] + 1;
}

APART void bound(struct matrix *s)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            s->a[j][i] *= s->b[s->n - 1 - i];
}

static struct matrix shared;

APART void global(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            shared.a[i][j] += shared.b[i];
}

APART void points(int n, struct point *p)
{
    for (int i = 0; i < n; i++) {
        p[i].x = p[i].x * 2.0;
        p[i].w = p[i].w + 1.0f;
    }
}

APART void grid(int n, int m, struct point g[][31])
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            g[i][j].w = (float)g[i - 1][j].y;
            g[i][j].z = g[i - 1][j].x;
        }
}

APART void complex(int n, struct pair *a, const struct pair *b)
{
    for (int i = 0; i < n; i++) {
        a[i].re = b[i].re * 0.5f - b[i].im;
        a[i].im = 2 * b[i].re;
    }
}

APART void nested(struct rows *s)
{
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 16; i++)
            s->m[k].a[i] = s->m[k].a[i] * s->m[k].w;
}

APART void shapes(struct shapes *s, int n, int m, int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->a[i][j] += s->b[j % 1][i] * s->v[j + k];
}

int main(int argc, char **argv)
{
    static struct matrix s;
    static struct point p[65], g[10][31];
    static struct pair a[100], b[100];
    static struct rows r;
    static struct shapes t;

    harness_start(argc, argv);
    poison(&s, sizeof s);
    poison(&shared, sizeof shared);
    poison(p, sizeof p);
    poison(g, sizeof g);
    poison(a, sizeof a);
    poison(&r, sizeof r);
    poison(&t, sizeof t);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            s.a[i][j] = harness_random();
            shared.a[i][j] = harness_random();
            t.a[i][j] = harness_random();
        }
    for (int i = 0; i < N; i++)
        s.b[i] = shared.b[i] = (float)harness_random();
    for (int i = 0; i < 40; i++)
        t.b[0][i] = harness_random();
    for (int i = 0; i < 60; i++)
        t.v[i] = harness_random();
    for (int i = 0; i < 65; i++) {
        p[i].x = harness_random();
        p[i].w = (float)harness_random();
    }
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 31; j++) {
            g[i][j].x = harness_random();
            g[i][j].y = harness_random();
        }
    for (int i = 0; i < 100; i++) {
        b[i].re = (float)harness_random();
        b[i].im = (float)harness_random();
    }
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 16; j++)
            r.m[i].a[j] = harness_random();
        r.m[i].w = (float)harness_random();
    }
    scale(&s, 20, N);
    scale(&s, 20, N);
    s.n = 20;
    bound(&s);
    global(20, N);
    points(65, p);
    grid(10, 29, g);
    complex(100, a, b);
    nested(&r);
    shapes(&t, 20, 23, 37);
    dump("s", &s, sizeof s);
    dump("shared", &shared, sizeof shared);
    dump("p", p, sizeof p);
    dump("g", g, sizeof g);
    dump("a", a, sizeof a);
    dump("r", &r, sizeof r);
    dump("t", &t, sizeof t);
    return harness_end();
}
