// Rows of bytes that are copied and set as blocks of memory, and rows whose
// size is a product of a number of 64 bits, of which the highest bits get lost.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 41
// RUN: %run_gpu %t.gpu 41 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 41 1
// RUN: %run_auto %t.gpu 41 1 2>&1 | %FileCheck --check-prefix=LOST %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop copied_bytes {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel copied_bytes_{{.*}} launches=3
// CHECK-DAG: polygpu: scop set_bytes {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop by_pointers {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop from_below {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_long {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_triples {{.*}} runs=3 declined=0 failed=0
// LOST: polygpu: scop of_long {{.*}} runs=3 declined=1 failed=0
#include "exec.h"

#include <string.h>

enum { MOST = 64 * 64 };

static unsigned char to[MOST], from[MOST];
static double wide[MOST], source[MOST];
static float triples[3 * MOST], of[3 * MOST];

NOINLINE static void copied_bytes(unsigned char *to, const unsigned char *from,
                                  int h, int w, int row, int row_from)
{
    for (int y = 0; y < h; y++)
        memcpy(to + y * row, from + y * row_from, w);
}

NOINLINE static void set_bytes(unsigned char *to, size_t h, size_t w)
{
    for (size_t y = 0; y < h; y += 2)
        memset(to + y * w, 0x55, w);
}

NOINLINE static void by_pointers(unsigned char *to, const unsigned char *from,
                                 int h, int w, int row)
{
    for (int y = 0; y < h; y++) {
        memcpy(to, from, w);
        to += row;
        from += row;
    }
}

NOINLINE static void from_below(double *to, const double *from, size_t h,
                                size_t w)
{
    for (size_t y = 0; y < h; y++)
        memcpy(&to[y * w], &from[(h - 1 - y) * w], w * sizeof *to);
}

NOINLINE static void of_long(double *to, const double *from, long h, long w)
{
    for (long y = 0; y < h; y++)
        memcpy(&to[y * w], &from[y * w], w * sizeof *to);
}

NOINLINE static void of_triples(float *to, const float *from, size_t h,
                                size_t w)
{
    for (size_t y = 0; y < h; y++)
        memcpy(&to[3 * y * w], &from[3 * y * w], 3 * w * sizeof *to);
}

HOST void run(int h, int w)
{
    copied_bytes(to, from, h, w, 64, 63);
    dump("copied", to, sizeof to);
    set_bytes(to, h, w);
    dump("set", to, sizeof to);
    by_pointers(to, from, h, w, w + 3);
    dump("pointers", to, sizeof to);
    from_below(wide, source, h, w);
    dump("below", wide, sizeof wide);
    of_long(wide, source, h, w);
    dump("long", wide, sizeof wide);
    of_triples(triples, of, h, w);
    dump("triples", triples, sizeof triples);
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    random_bits(to, sizeof to);
    random_bits(from, sizeof from);
    random_bits(wide, sizeof wide);
    random_bits(source, sizeof source);
    random_bits(triples, sizeof triples);
    random_bits(of, sizeof of);
    run(n, n + 7);
    run(1, 1);
    run(3, 50);
    // Of one row only 5 elements, modulo 2^64 bytes.
    if (argc > 2 && argv[2][0] == '1') {
        of_long(wide + 9, source, 1, (1L << 61) + 5);
        dump("lost", wide, sizeof wide);
    }
    return harness_end();
}
