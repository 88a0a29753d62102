// Statements of an iteration that the analysis would have in another order, since
// one of them is about a value that is handed on (FFTPACK's dcost): these are refused.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

void exchanged(int n, double *restrict x, double last)
{
    // CHECK: exchanged_statements.c:[[@LINE+1]]:5: remark: loop not offloaded: 'x' is read in line [[@LINE+3]] before it is written in line [[@LINE+4]], and the analysis would exchange the two, since the latter is about a value that an iteration hands on to the next; keep such values in an array of their own
    for (int i = 3; i < n; i += 2) {
        double next = x[i];
        x[i] = x[i - 2] - x[i - 1];
        x[i - 1] = last;
        last = next;
    }
}

// Another array.
void apart(int n, double *restrict x, double *restrict y, double last)
{
    // CHECK: exchanged_statements.c:[[@LINE+1]]:5: remark: loops offloaded
    for (int i = 3; i < n; i += 2) {
        double next = x[i];
        x[i + 1] = x[i - 2] - x[i - 4];
        y[i - 1] = last;
        last = next;
    }
}
