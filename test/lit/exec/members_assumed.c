// A pointer that only some iterations read is a member of a structure that the
// loop's store might change by its type; all iterations read another member.
// Where the store does change it, the original loops run.
//
// RUN: %gpu_cc %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -c %s -o %t.o -Rpass-analysis=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=NAMES %s
//
// CHECK-DAG: polygpu: scop pad {{.*}} runs=2 declined=1 failed=0
// CHECK-DAG: polygpu: scop pad_complex {{.*}} runs=2 declined=0 failed=0
// NAMES: runs on the device if 'out' overlaps none of 'the value loaded from f' {{.*}}; 'out' overlaps none of 'f', and
// NAMES: runs on the device if {{.*}}; 'the value loaded from b' overlaps none of 'b', and
#include "exec.h"

#include <complex.h>
#include <string.h>

enum { SIZE = 300, LENGTH = 170, WORDS = 40 };

struct filter {
    union {
        float *taps;
        float words[WORDS];
    } of;
    long length, size;
};

struct block {
    float complex *taps, *out;
    int length, size;
};

static float taps[SIZE], out[SIZE], other[SIZE];
static float complex u[SIZE], v[SIZE];

NOINLINE static void pad(const struct filter *f, float *out)
{
    for (long i = 0; i < f->size; i++)
        out[i] = i < f->length ? f->of.taps[i] : 0;
}

NOINLINE static void pad_complex(const struct block *b)
{
    for (int i = 0; i < b->size; i++)
        b->out[i] = i < b->length ? b->taps[i] : 0;
}

int main(int argc, char **argv)
{
    static struct filter f = {{taps}, LENGTH, SIZE};
    struct block b = {u, v, LENGTH, SIZE};
    float *to = other, half[2];

    harness_start(argc, argv);
    harness_fill(taps, SIZE, sizeof *taps);
    harness_fill(other, SIZE, sizeof *other);
    harness_fill((float *)u, 2 * SIZE, sizeof(float));
    pad(&f, out);
    dump("out", out, sizeof out);
    pad_complex(&b);
    dump("v", v, sizeof v);

    // Where no iteration reads it, it may be anything.
    f.of.taps = NULL;
    f.length = 0;
    pad(&f, out);
    dump("out", out, sizeof out);
    b.length = 0;
    pad_complex(&b);
    dump("v", v, sizeof v);

    // The first element that is stored makes the pointer one to the other
    // array, and the second one leaves it so.
    memcpy(half, &to, sizeof to);
    taps[0] = half[0];
    other[1] = half[1];
    f.of.taps = taps;
    f.length = WORDS - 7;
    f.size = WORDS;
    pad(&f, f.of.words);
    dump("words", f.of.words + 2, sizeof f.of.words - sizeof half);
    return harness_end();
}
