// isl joins { i mod 2 = 0 } and { i < 2 } to all i, and Polly builds its
// domains with that.  Without the check in coalesce.c (-gpu-mutate=joined) the
// loops are refused, since the model differs from the program.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -gpu-mutate=joined -pass-remarks-missed=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=remark %s

void joined(int n, float (*a)[100])
{
    // CHECK: remark: {{.*}}joined.c:[[@LINE+3]]:{{.*}}not offloaded: {{.*}}(the statement in line [[@LINE+4]], iteration (3, 0): it does not run
    for (int i = 0; i < n; i++)
        if (i % 2 == 0 || i < 2)
            for (int j = 0; j < 100; j++)
                a[i][j] += 1;
}

/* Joined as well, and rightly. */
void even(int n, float (*a)[100])
{
    // CHECK: remark: {{.*}}joined.c:[[@LINE+1]]:{{.*}} loops offloaded as 1 kernel
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            for (int j = 0; j < 100; j++)
                a[i][j] += 1;
}
