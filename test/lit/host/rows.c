// Copies of rows, planes and so on are one call each; where it depends on sizes
// how many of them go on where the ones before end, the runtime finds that out.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated -S \
// RUN:   -emit-llvm %s -o - | %FileCheck %s

enum { N = 96 };

// CHECK-LABEL: define internal {{.*}}void @known.polygpu(
// CHECK: call void @polygpu_move(ptr {{.*}}, i32 0, i32 1, i64 0, i64 9216, i64 1)
// CHECK-NEXT: call void @polygpu_move(ptr {{.*}}, i32 1, i32 2, i64 0, i64 9216, i64 1)
// CHECK-NOT: polygpu_move(
// CHECK: call i32 @polygpu_worth(
void known(float a[N][N], float b[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = a[i][j] + 1;
}

// CHECK-LABEL: define internal {{.*}}void @whole.polygpu(
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 0, i32 1, i64 0, i64 [[ROW:%[0-9]+]], i64 1, i32 1,
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 1, i32 2, i64 0, i64 [[ROW]], i64 1, i32 1,
// CHECK-NOT: polygpu_move
// CHECK: call i32 @polygpu_worth(
void whole(int n, int m, float (*a)[m], float (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] + 1;
}

// CHECK-LABEL: define internal {{.*}}void @part.polygpu(
// CHECK-NOT: strip
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 0, i32 1, i64 0, i64 [[COUNT:%[0-9]+]], i64 1, i32 1,
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 1, i32 2, i64 0, i64 [[COUNT]], i64 1, i32 1,
// CHECK-NOT: polygpu_move
// CHECK: call i32 @polygpu_worth(
void part(int n, int m, int k, float (*a)[m], float (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++)
            b[i][j] = a[i][j] + 1;
}

// Rows of constant length in one dimension.
// CHECK-LABEL: define internal {{.*}}void @flat.polygpu(
// CHECK: store i64 160, ptr
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 0, i32 1, i64 1, i64 149, i64 1, i32 1,
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 1, i32 2, i64 1, i64 149, i64 1, i32 1,
// CHECK-NOT: polygpu_move
// CHECK: call i32 @polygpu_worth(
void flat(float *restrict a, float *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < 150; j++)
            b[i * 160 + j] = a[i * 160 + j] + 1;
}

struct pixel {
    float red, green, blue;
};

// Fields beside each other are one run.
// CHECK-LABEL: define internal {{.*}}void @pixels.polygpu(
// CHECK: call void @polygpu_move_rows(ptr {{.*}}, i32 0, i32 2, i64 30, i64 60, i64 1, i32 1,
// CHECK-NOT: polygpu_move
// CHECK: call i32 @polygpu_worth(
void pixels(int n, struct pixel (*p)[N])
{
    for (int i = 0; i < n; i++)
        for (int j = 10; j < 30; j++) {
            p[i][j].red = 1;
            p[i][j].green = i;
            p[i][j].blue = j;
        }
}
