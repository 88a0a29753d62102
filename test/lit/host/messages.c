// What calls of MPI access between two runs: the bytes that they are given, of
// built-in types, in the two kinds of handles that libraries have; everything,
// where a type or a function is another one.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -fno-discard-value-names -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S %t.ll \
// RUN:   -pass-remarks-analysis=gpu-polyhedral 2>%t.remarks | %FileCheck %s
// RUN: grep ' stay ' %t.remarks | %FileCheck %s --check-prefix=REMARK
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S -DMPICH \
// RUN:   -fno-discard-value-names -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S %t.ll \
// RUN:   -pass-remarks-analysis=gpu-polyhedral 2>%t.remarks | %FileCheck %s
// RUN: grep ' stay ' %t.remarks | %FileCheck %s --check-prefix=REMARK

#ifdef MPICH
typedef int MPI_Datatype, MPI_Comm;
typedef struct { int count, cancelled, source, tag, error; } MPI_Status;
#define MPI_COMM_WORLD 0x44000000
#define MPI_FLOAT 0x4c00040a
#define MPI_DOUBLE 0x4c00080b
#define MPI_DOUBLE_INT ((int)0x8c000001)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#else
typedef struct type *MPI_Datatype;
typedef struct communicator *MPI_Comm;
typedef struct { int source, tag, error, cancelled; long count; } MPI_Status;
extern struct communicator ompi_mpi_comm_world;
extern struct type ompi_mpi_float, ompi_mpi_double, ompi_mpi_double_int;
#define MPI_COMM_WORLD (&ompi_mpi_comm_world)
#define MPI_FLOAT (&ompi_mpi_float)
#define MPI_DOUBLE (&ompi_mpi_double)
#define MPI_DOUBLE_INT (&ompi_mpi_double_int)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#endif
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int,
                 MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, void **);

static inline void sweep(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * a[i] + 1;
}

// CHECK-LABEL: define {{.*}}@sends.polygpu(
// CHECK: %[[COUNT:.*]] = zext i32 %m to i64
// CHECK-NEXT: %[[BYTES:.*]] = mul i64 %[[COUNT]], 4
// CHECK-NEXT: call void @polygpu_touch_at(ptr %a, i64 %[[BYTES]], i32 1, ptr @{{[0-9]+}})
// CHECK-NEXT: br label
// CHECK-EMPTY:
// CHECK-NEXT: {{^[0-9]+}}:
// CHECK-NEXT: call {{.*}}@MPI_Send(
// REMARK: places of the host's code{{$}}
void sends(int n, int m, float *a)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Send(a, m, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    }
}

// CHECK-LABEL: define {{.*}}@receives.polygpu(
// CHECK: call void @polygpu_touch_at(ptr %a, i64 80, i32 2, ptr @{{[0-9]+}})
// CHECK-NEXT: br label
// CHECK-EMPTY:
// CHECK-NEXT: {{^[0-9]+}}:
// CHECK-NEXT: call {{.*}}@MPI_Recv(
// REMARK: places of the host's code{{$}}
void receives(int n, float *a)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Recv(a, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

// A status may be in an array.
// CHECK-LABEL: define {{.*}}@exchanges.polygpu(
// CHECK: call void @polygpu_touch_at(ptr %a, i64 12, i32 1, ptr @{{[0-9]+}})
// CHECK-NEXT: call void @polygpu_touch_at(ptr %{{.*}}, i64 12, i32 2, ptr @{{[0-9]+}})
// CHECK-NEXT: call void @polygpu_touch_at(ptr %status, i64 {{2[04]}}, i32 2, ptr @{{[0-9]+}})
// CHECK-NEXT: br label
// CHECK-EMPTY:
// CHECK-NEXT: {{^[0-9]+}}:
// CHECK-NEXT: call {{.*}}@MPI_Sendrecv(
// REMARK: places of the host's code{{$}}
void exchanges(int n, float *a, MPI_Status *status)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Sendrecv(a, 3, MPI_FLOAT, 1, 0, a + 9, 3, MPI_FLOAT, 1, 0,
                     MPI_COMM_WORLD, status);
    }
}

// REMARK: first among those that may write anything is line [[@LINE+5]]{{$}}
void other_types(int n, float *a)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Send(a, 3, MPI_DOUBLE_INT, 1, 0, MPI_COMM_WORLD);
    }
}

// REMARK: first among those that may write anything is line [[@LINE+5]]{{$}}
void unknown_types(int n, float *a, MPI_Datatype type)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Send(a, 3, type, 1, 0, MPI_COMM_WORLD);
    }
}

// It goes on after the call.
// REMARK: first among those that may write anything is line [[@LINE+5]]{{$}}
void begins(int n, float *a, void **request)
{
    for (int t = 0; t < 10; t++) {
        sweep(n, a);
        MPI_Isend(a, 3, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, request);
    }
}
