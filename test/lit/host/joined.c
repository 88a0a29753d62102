// What the runtime is told once: what was told on all paths since a run, members
// of a structure that are near to each other, and what is told in one block.  A
// run, a call and another value of a pointer end that.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -fno-discard-value-names -emit-llvm %s -o - \
// RUN:   | %opt -passes=sroa -S -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S %t.ll | %FileCheck %s

struct state {
    double scale, shift;
    int count, limit;
    double far[100];
    long last;
    struct state *next;
};

void tell(void);

static inline void sweep(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * a[i] + 1;
}

// Read: scale up to limit, 24 bytes.  Written: 20 of them.
// CHECK-LABEL: define {{.*}}@members.polygpu(
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %s, i64 24, i32 1,
// CHECK-NEXT: call void @polygpu_touch_at(ptr %s, i64 20, i32 2,
// CHECK-NOT: call void @polygpu_touch
void members(int n, float *a, struct state *s)
{
    while (s->scale < 100) {
        sweep(n, a);
        s->scale += 1;
        if (s->limit > 5)
            s->count = 7;
        else
            s->shift += s->scale;
    }
}
// CHECK-LABEL: define {{.*}}@distant.polygpu(
// CHECK: %[[LAST:.*]] = getelementptr i8, ptr %s, i64 824
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %s, i64 8, i32 3,
// CHECK-NEXT: call void @polygpu_touch_at(ptr %[[LAST]], i64 8, i32 3,
// CHECK-NOT: call void @polygpu_touch
void distant(int n, float *a, struct state *s)
{
    while (s->scale < 100) {
        sweep(n, a);
        s->scale += 1;
        s->last += 1;
    }
}

// One of two ways tells: behind them it is not known.
// CHECK-LABEL: define {{.*}}@one_way.polygpu(
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %y, i64 8, i32 3,
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %y, i64 8, i32 3,
// CHECK-NEXT: call void @polygpu_touch_at(ptr %x, i64 8, i32 1,
// CHECK-NOT: call void @polygpu_touch
void one_way(int n, float *a, double *x, double *y)
{
    while (*x < 100) {
        sweep(n, a);
        if (n > 50)
            *y += 1;
        *y += 1;
    }
}

// A run in between, and a call.
// CHECK-LABEL: define {{.*}}@between.polygpu(
// CHECK: call void @sweep.polygpu(
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %x, i64 8, i32 3,
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @sweep.polygpu(
// CHECK: call void @polygpu_touch_at(ptr %x, i64 8, i32 3,
// CHECK-NEXT: call void @polygpu_touch_at(ptr null, i64 -1, i32 3,
// CHECK: call void @tell()
// CHECK: call void @polygpu_touch_at(ptr %x, i64 8, i32 3,
// CHECK-NOT: call void @polygpu_touch
void between(int n, float *a, double *x)
{
    while (*x < 100) {
        sweep(n, a);
        *x += 1;
        sweep(n, a + n);
        *x += 1;
        tell();
        *x += 1;
    }
}

// With another state the pointer is the same, its value is not.
// CHECK-LABEL: define {{.*}}@list.polygpu(
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %{{.*}}, i64 4, i32 2,
// CHECK-NEXT: call void @polygpu_touch_at(ptr %{{.*}}, i64 8, i32 1,
// CHECK-NOT: call void @polygpu_touch
// CHECK: call void @polygpu_touch_at(ptr %{{.*}}, i64 4, i32 3,
// CHECK-NOT: call void @polygpu_touch
// CHECK-LABEL: define {{.*}}@sweep.polygpu(
void list(int n, float *a, struct state *s)
{
    while (s) {
        sweep(n, a);
        s->limit = 1;
        s = s->next;
        if (s)
            s->limit++;
    }
}
