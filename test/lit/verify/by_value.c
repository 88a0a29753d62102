// A structure that is passed by value: both executions get the same one.
//
// RUN: %clang_gpu -O2 -S -emit-llvm %s -o /dev/null -mllvm -gpu-verify=execute \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck %s
//
// CHECK-DAG: by_value.c:22:{{.*}} remark: executed as written and offloaded, with equal results: {{[1-9]}}
// CHECK-DAG: by_value.c:43:{{.*}} remark: executed as written and offloaded, with equal results: {{[1-9]}}
// CHECK-DAG: by_value.c:[[@LINE+47]]:{{.*}} remark: executed as written and offloaded, with equal results: {{[1-9]}}
enum { N = 40 };

struct box {
    double values[N];
    struct { int n; float factor; } parts[2];
};

struct numbers { unsigned *other, values[N]; };

double inside(struct box copy)
{
    int n = copy.parts[1].n < N ? copy.parts[1].n : N;
    double sum = 0;
    for (int i = 0; i < n; i++)
        copy.values[i] = copy.values[i] * copy.parts[0].factor + i;
    for (int i = N - 1; i >= 0 && sum < 1000; i--)
        sum += copy.values[i];
    return sum;
}

static __attribute__((noinline)) unsigned copied(struct numbers copy,
                                                 unsigned *to)
{
    for (int i = 0; i < N; i++)
        to[i] = copy.values[N - 1 - i] + 7;
    return copy.values[0];
}

// The call reads what it copies, before anything else does.
unsigned outside(struct numbers *from, unsigned *restrict to, int steps)
{
    unsigned sum = 0;
    for (int t = 0; t < steps; t++) {
        sum += copied(*from, from->other);
        for (int i = 0; i < N; i++)
            to[i] = to[i] * 3 + from->values[i];
    }
    return sum;
}

// A function that is not known is called like that, too.
unsigned given(struct numbers copy, unsigned *to, int step);
void unknown(struct numbers *from, unsigned *restrict to, int steps)
{
    for (int t = 0; t < steps; t++) {
        to[0] += given(*from, from->other, t);
        for (int i = 0; i < N; i++)
            to[i] = to[i] * 3 + from->values[i];
    }
}
