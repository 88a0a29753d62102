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

// What a block accesses is told at its first place, with addresses that differ
// by a constant as one: 40 bytes of b are read, and 24 of them written.
// CHECK-LABEL: define {{.*}}@cells.polygpu(
// CHECK: %[[FIRST:[0-9a-z]+]] = getelementptr {{.*}}ptr %b,
// CHECK: load atomic i32, ptr @polygpu_in_use
// CHECK: call void @polygpu_touch_at(ptr %[[FIRST]], i64 40, i32 1,
// CHECK-NEXT: call void @polygpu_touch_at(ptr {{.*}}, i64 24, i32 2,
// CHECK-NEXT: call void @polygpu_touch_at(ptr null, i64 -1, i32 3,
// CHECK-NEXT: br label
// CHECK-NOT: polygpu_touch
// CHECK: call void @tell(
void cells(int steps, int n, float *a, double (*b)[5])
{
    for (int t = 0; t < steps; t++) {
        sweep(n, a);
        b[t + 1][1] = b[t + 1][0] * b[t + 1][2];
        b[t + 1][2] = b[t + 1][1] * b[t + 1][4];
        b[t + 1][3] = b[t + 1][2] * b[t + 1][0];
        tell();
    }
}

// The first one of the block is not the first one in memory.
// CHECK-LABEL: define {{.*}}@shifted.polygpu(
// CHECK: %[[AT:[0-9a-z]+]] = getelementptr {{.*}}ptr %b, i64 %
// CHECK: %[[FIRST:[0-9a-z]+]] = getelementptr i8, ptr %[[AT]], i64 -24
// CHECK: load atomic i32, ptr @polygpu_in_use
// CHECK: call void @polygpu_touch_at(ptr %[[FIRST]], i64 32, i32 1,
// CHECK-NEXT: call void @polygpu_touch_at(ptr {{.*}}, i64 40, i32 2,
// CHECK-NEXT: call void @polygpu_touch_at(ptr null, i64 -1, i32 3,
// CHECK-NOT: polygpu_touch
// CHECK: call void @tell(
// CHECK-LABEL: define {{.*}}@sweep.polygpu(
void shifted(long steps, int n, float *a, double *b)
{
    for (long t = 0; t < steps; t++) {
        sweep(n, a);
        b[7 * t + 3] *= 2;
        b[7 * t] -= b[7 * t + 1];
        b[7 * t + 4] = 1;
        tell();
    }
}
