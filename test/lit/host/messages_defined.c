// A function of the program with the name of one of MPI's, or with other
// parameters, is another one.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -fno-discard-value-names -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s

extern struct type own_double, ompi_mpi_double;
int MPI_Send(const void *, int, struct type *, int, int, struct type *);
int MPI_Recv(void *, int, struct type *, int, int, struct type *);

extern void (*hook)(void);
/* Not to be copied. */
__attribute__((weak)) int MPI_Send(const void *a, int n, struct type *t, int to,
                                   int tag, struct type *c)
{
    hook();
    return 0;
}

// CHECK: first among those that may write anything is line [[@LINE+6]]{{$}}
void messages_defined(int n, float *a)
{
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] * a[i] + 1;
        MPI_Send(a, 3, &ompi_mpi_double, 1, 0, &own_double);
    }
}

// CHECK: first among those that may write anything is line [[@LINE+6]]{{$}}
void messages_of_others(int n, float *a)
{
    for (int t = 0; t < 10; t++) {
        for (int i = 0; i < n; i++)
            a[i] = a[i] * a[i] + 1;
        MPI_Recv(a, 3, &ompi_mpi_double, 1, 0, &own_double);
    }
}
