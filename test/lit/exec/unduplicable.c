// What must be in a program once is not copied: functions with a label in
// inline assembly, or that call one that LLVM may inline, stay as they are.
// Numbers, and labels with %=, may be there more than once.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -mfma -Rpass=gpu -Rpass-missed=gpu %s %harness -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-NOT: kernel {{labelled|calls|twice_removed|once}}_
// CHECK-DAG: polygpu: kernel numbered_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel unique_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel apart_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel operands_{{.*}} launches=1
// CHECK-NOT: kernel {{labelled|calls|twice_removed|once}}_
#include "exec.h"

enum { N = 60 };

static double a[N];

NOINLINE static void labelled(double f)
{
    __asm__ volatile("nop\n\tthe_only_label: nop");
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}not offloaded: the function, or one that may be inlined into it, has a label in inline assembly, or a call that must not be duplicated; write labels with %=
        a[i] = a[i] + f;
}

static void inner(void)
{
    __asm__ volatile("nop; .Lanother_label : nop");
}

/* A function with one call is inlined, whatever its size. */
NOINLINE static void calls(double f)
{
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}not offloaded: {{.*}}label
        a[i] = a[i] * f;
    inner();
}

static void innermost(void)
{
    __asm__ volatile("\"quoted label\": nop");
}

static void between(double f)
{
    innermost();
    a[3] = f;
}

NOINLINE static void twice_removed(double f)
{
    between(f);
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}not offloaded: {{.*}}label
        a[i] = a[i] + f;
}

__attribute__((noduplicate)) HOST void only(void)
{
    a[1] = 2;
}

NOINLINE static void once(double f)
{
    only();
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}not offloaded: {{.*}}duplicated
        a[i] = a[i] + f;
}

NOINLINE static void numbered(double f)
{
    __asm__ volatile("jmp 1f; 1: nop\n2 : nop");
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}loops offloaded
        a[i] = a[i] + f;
}

NOINLINE static void unique(double f)
{
    __asm__ volatile(".Lunique%=: nop; u%=_u: 3: nop" : :);
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}loops offloaded
        a[i] = a[i] + f;
}

/* Not inlined, and so there once. */
NOINLINE static void with_label(void)
{
    __asm__ volatile("a_third_label: nop");
}

NOINLINE static void apart(double f)
{
    with_label();
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}loops offloaded
        a[i] = a[i] + f;
}

/* Colons that end no label. */
NOINLINE static void operands(double f)
{
    long x;

    __asm__ volatile("mov %%fs:0, %0 # a: comment\n\tnop // b: c" : "=r"(x));
    for (int i = 0; i < N; i++) // REMARK-DAG: [[#@LINE]]:5:{{.*}}loops offloaded
        a[i] = a[i] + f;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    labelled(2);
    calls(3);
    twice_removed(4);
    once(5);
    numbered(6);
    unique(7);
    apart(8);
    operands(9);
    dump("a", a, sizeof a);
    return harness_end();
}
