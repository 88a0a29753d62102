// Beside an argument that is passed by value are variables of the caller, which
// lie elsewhere in the offloaded copy: what is read past its end differs
// between the executions, and says nothing.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-verify=execute -Rpass-missed=gpu-polyhedral \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck %s --implicit-check-not="error of PolyGPU"
// CHECK-DAG: value.c:[[#@LINE+23]]:{{.*}} remark: executed as written and offloaded, with equal results: 7
// CHECK-DAG: value.c:[[#@LINE+12]]:{{.*}} remark: executed as written and offloaded, with equal results: 7

enum { N = 96 };
struct box {
    unsigned *a, *b, c[N];
};
static unsigned big[3 * N], sum;
static int fuel = 120;

static __attribute__((noinline)) unsigned e1(struct box v, unsigned *a, int t)
{
    if (fuel-- > 0) {
        for (int i = 1; i < 32; i++)
            v.c[i] = v.a[i + 1] ^ i;
    }
    return v.c[t] + v.c[N - 1];
}

void e2(unsigned *a, unsigned *b, struct box *s, int t)
{
    if (fuel-- <= 0)
        return;
    for (int i = 1; i < 54; i++)
        a[i] += t;
    sum += e1(*s, big + 40, t);
}
