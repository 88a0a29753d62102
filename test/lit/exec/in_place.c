// Work in place: what is read and what is written may be one array, if each element
// is read before it is written.  Where it is not, and where arrays overlap in another
// way, the original loops run.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref all
// RUN: %run_auto %t.gpu all 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// In each: apart, the same, what is written one element before what is read, one
// behind.
// CHECK-DAG: polygpu: scop squares {{.*}} runs=5 declined=1 failed=0
// CHECK-DAG: polygpu: scop from_the_right {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop from_ahead {{.*}} runs=4 declined=1 failed=0
// CHECK-DAG: polygpu: scop from_the_left {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: scop reversed {{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: scop read_behind {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: scop read_in_next_loop {{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: scop read_in_loop_before {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop summed {{.*}} runs=5 declined=1 failed=0
// CHECK-DAG: polygpu: scop in_steps {{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: scop plane {{.*}} runs=3 declined=2 failed=0
// CHECK-DAG: polygpu: scop transposed {{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: scop other_type {{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: scop where {{.*}} runs=4 declined=1 failed=0
// CHECK-DAG: polygpu: scop two_results {{.*}} runs=1 declined=3 failed=0
#include "exec.h"

enum { N = 300, ROW = 20 };

static float memory[2 * N + 2];

NOINLINE static void squares(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * from[i];
}

NOINLINE static void from_the_right(int n, float *to, const float *from)
{
    for (int i = 0; i < n - 1; i++)
        to[i] = from[i + 1] * 2;
}

NOINLINE static void from_ahead(int n, float *to, const float *from)
{
    for (int i = 0; i < n - 8; i++)
        to[i] = from[i + 8] * 2;
}

// A recurrence, if they are the same.
NOINLINE static void from_the_left(int n, float *to, const float *from)
{
    for (int i = 1; i < n; i++)
        to[i] = from[i - 1] * 2;
}

NOINLINE static void reversed(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i] * 2;
}

// In one iteration, behind the store.
NOINLINE static void read_behind(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++) {
        float x = from[i];

        to[i] = x * 0.5f;
        to[i] = from[i] + x;
    }
}

NOINLINE static void read_in_next_loop(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
    for (int i = 0; i < n; i++)
        to[i] += from[i] * 2;
}

NOINLINE static void read_in_loop_before(int n, float *to, const float *from,
                                         float *apart)
{
    for (int i = 0; i < n; i++)
        apart[i] = from[n - 1 - i] * 2;
    for (int i = 0; i < n; i++)
        to[i] = apart[i] + i;
}

NOINLINE static void summed(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

NOINLINE static void in_steps(int n, int t, float *to, const float *from)
{
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n; i++)
            to[i] = 0.5f * from[i] + s;
}

NOINLINE static void plane(int n, int m, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = 2 * from[i * m + j];
}

NOINLINE static void transposed(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = 2 * from[j * n + i];
}

NOINLINE static void other_type(int n, char *to, const short *from)
{
    for (int i = 0; i < n; i++)
        to[i] = (char)(from[i] >> 3);
}

NOINLINE static void where(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            to[i] = from[i] * 3;
}

NOINLINE static void two_results(int n, float *to, float *too)
{
    for (int i = 0; i < n; i++) {
        to[i] = i;
        too[i] = 2 * i;
    }
}

#define CALL(call)                                                             \
    do {                                                                       \
        harness_fill(memory, 2 * N + 2, sizeof *memory);                       \
        call;                                                                  \
        dump(#call, memory, sizeof memory);                                    \
    } while (0)

HOST void run(float *to, float *from)
{
    static float apart[N];

    CALL(squares(N, to, from));
    CALL(from_the_right(N, to, from));
    CALL(from_the_left(N, to, from));
    CALL(reversed(N, to, from));
    CALL(read_behind(N, to, from));
    CALL(read_in_next_loop(N, to, from));
    CALL(read_in_loop_before(N, to, from, apart));
    CALL(summed(N, to, from));
    CALL(in_steps(N, 3, to, from));
    CALL(plane(N / ROW, ROW, to, from));
    CALL(transposed(17, to, from));
    CALL(other_type(N, (char *)to, (const short *)from));
    CALL(where(N, to, from));
    CALL(two_results(N, to, from));
}

// What runs on the device then.
HOST void run_same(float *both)
{
    CALL(squares(N, both, both));
    CALL(from_the_right(N, both, both));
    CALL(summed(N, both, both));
    CALL(plane(N / ROW, ROW, both, both));
    CALL(where(N, both, both));
    squares(N, both, both);
    summed(N, both, both);
    dump("again", memory, sizeof memory);
}

// As far behind what is read as it is ahead, twice, and farther.
HOST void run_ahead(float *from)
{
    CALL(from_ahead(N, from + N, from));
    CALL(from_ahead(N, from + 4, from));
    CALL({
        from_ahead(N, from + 8, from);
        from_ahead(N, from + 8, from);
    });
    CALL(from_ahead(N, from + 9, from));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run_same(memory + 1);
    if (argc > 1) {
        run(memory, memory + N);
        run(memory + 1, memory + 1);
        run(memory + 1, memory + 2);
        run(memory + 2, memory + 1);
        run_ahead(memory);
    }
    return harness_end();
}
