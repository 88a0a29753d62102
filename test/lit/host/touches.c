// What loops of the host touch that offload nothing is told in front of them:
// no iteration asks.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated -S -emit-llvm %s -o - \
// RUN:   | %FileCheck %s

enum { N = 1000 };

static double x[N];
static int next[N];

// CHECK-LABEL: define internal {{.*}}void @walks.polygpu(
// CHECK: call void @polygpu_touch_at(ptr {{.*}}@x, i64 8000, i32 2,
// CHECK: br label %[[BEFORE:[a-z0-9.]+]]
// CHECK: {{^}}[[BEFORE]]:
// CHECK: br label %[[LOOP:[a-z0-9.]+]]
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}[[LOOP]]: {{.*}}; preds = %[[BEFORE]], %[[LOOP]]{{$}}
// CHECK-NOT: call
// CHECK: store double 7
void walks(int steps, int first)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + 1;
        int i = first;
        do
            x[i] = 7;
        while ((i = next[i]) >= 0);
    }
}

// Two loops, one in the other: in front of both.
// CHECK-LABEL: define internal {{.*}}void @nested.polygpu(
// CHECK: call void @polygpu_touch_at(ptr {{.*}}@x, i64 8000, i32 2,
// CHECK: br label %[[BEFORE:[a-z0-9.]+]]
// CHECK: {{^}}[[BEFORE]]:
// CHECK: br label %[[OUTER:[a-z0-9.]+]]
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}[[OUTER]]: {{.*}}; preds = %[[BEFORE]], %{{[a-z0-9.]+}}{{$}}
// CHECK-NOT: call
// CHECK: br label %[[INNER:[a-z0-9.]+]]
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}[[INNER]]: {{.*}}; preds = %[[INNER]], %[[OUTER]]{{$}}
// CHECK-NOT: call
// CHECK: store double 7
// CHECK-NOT: call
// CHECK: br i1 {{.*}}, label %[[OUTER]], label
void nested(int steps, int first, int again)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + 1;
        do {
            int i = first;
            do
                x[i] = 7;
            while ((i = next[i]) >= 0);
        } while ((again = next[again]) >= 0);
    }
}

// It is not known which elements: whatever is on the device.
// CHECK-LABEL: define internal {{.*}}void @behind.polygpu(
// CHECK: call void @polygpu_touch_at(ptr null, i64 -1, i32 2,
// CHECK-NEXT: call void @polygpu_touch_at(ptr {{.*}}@next, i64 4000, i32 1,
// CHECK: br label %[[BEFORE:[a-z0-9.]+]]
// CHECK: {{^}}[[BEFORE]]:
// CHECK: br label %[[LOOP:[a-z0-9.]+]]
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}[[LOOP]]: {{.*}}; preds = %[[BEFORE]], %[[LOOP]]{{$}}
// CHECK-NOT: call
// CHECK: store double 7
void behind(int steps, int first, double *a)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 0.5 + 1;
        int i = first;
        do
            a[i] = 7;
        while ((i = next[i]) >= 0);
    }
}

void fill(int first, int n)
{
    for (int i = 0; i < n; i++)
        next[i] = i - 1 - first % 3;
    for (int i = 0; i < N; i++)
        x[i] += i;
}
