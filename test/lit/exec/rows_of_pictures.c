// Rows of bytes whose length is an int or unsigned parameter, as pictures have
// them: a stride of them is the parameter made wider, and no product.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     > %t.remarks 2>&1
// RUN: %FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: brightened_{{[0-9]+}}_0 (2 parallel dimensions
// REMARK-DAG: blurred_{{[0-9]+}}_0 (2 parallel dimensions
// REMARK-DAG: turned_{{[0-9]+}}_0 (2 parallel dimensions
// REMARK-DAG: colours_{{[0-9]+}}_0 (3 parallel dimensions
// REMARK-DAG: framed_{{[0-9]+}}_0 (2 parallel dimensions
// REMARK-DAG: scaled_{{[0-9]+}}_0 (2 parallel dimensions
// CHECK-DAG: kernel brightened_{{[0-9]+}}_0 device=emulated launches=4
// CHECK-DAG: kernel blurred_{{[0-9]+}}_0 device=emulated launches=2
// CHECK-DAG: kernel turned_{{[0-9]+}}_0 device=emulated launches=4
// CHECK-DAG: kernel colours_{{[0-9]+}}_0 device=emulated launches=4
// CHECK-DAG: kernel scaled_{{[0-9]+}}_0 device=emulated launches=4
// CHECK-DAG: kernel framed_{{[0-9]+}}_0 device=emulated launches=4
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

enum { MOST = 70, ALL = 3 * MOST * MOST };

static unsigned char a[ALL], b[ALL], c[ALL];

NOINLINE static void brightened(int h, int w, unsigned char p[restrict h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            p[y][x] = (unsigned char)(p[y][x] < 200 ? p[y][x] + 55 : 255);
}

NOINLINE static void blurred(int h, int w, unsigned char to[restrict h][w],
                             unsigned char from[restrict h][w])
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            to[y][x] = (unsigned char)((from[y - 1][x] + from[y][x - 1] +
                                        4 * from[y][x] + from[y][x + 1] +
                                        from[y + 1][x]) /
                                       8);
}

NOINLINE static void turned(int h, int w, signed char to[restrict w][h],
                            signed char from[restrict h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            to[x][y] = from[y][x];
}

NOINLINE static void colours(int h, int w, unsigned char p[restrict h][w][3],
                             unsigned char grey[restrict h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int k = 0; k < 3; k++)
                p[y][x][k] = (unsigned char)(grey[y][x] >> k);
}

NOINLINE static void scaled(unsigned h, unsigned w,
                            unsigned char to[restrict h][w],
                            unsigned char from[restrict h][w])
{
    for (int y = 0; y < (int)h; y++)
        for (int x = 0; x < (int)w; x++)
            to[y][x] = (unsigned char)(3 * from[y][x] + x);
}

NOINLINE static void framed(int h, int w, unsigned char to[restrict h][w + 1],
                            unsigned char from[restrict h][w])
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            to[y][x + 1] = from[y][x];
}

HOST void run(int h, int w)
{
    for (int i = 0; i < ALL; i++)
        a[i] = (unsigned char)(256 * harness_random());
    poison(b, sizeof b);
    poison(c, sizeof c);
    brightened(h, w, (void *)a);
    dump("brightened", a, sizeof a);
    blurred(h, w, (void *)b, (void *)a);
    dump("blurred", b, sizeof b);
    turned(h, w, (void *)c, (void *)a);
    dump("turned", c, sizeof c);
    colours(h, w, (void *)b, (void *)a);
    dump("colours", b, sizeof b);
    scaled((unsigned)h, (unsigned)w, (void *)c, (void *)a);
    dump("scaled", c, sizeof c);
    framed(h, w, (void *)b, (void *)c);
    dump("framed", b, sizeof b);
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{2, 1}, {70, 70}, {13, 69}, {1, 1}};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++)
        run(sizes[i][0], sizes[i][1]);
    return harness_end();
}
