// What the host executes between two runs calls the runtime only where it has
// something to do: not for touches while nothing is on the device, and no more
// for a SCoP of constant sizes that is too small for any run.
//
// DEFINE: %{flags} = -O3 -mllvm -gpu-targets=emulated -I%source/include %s -Wl,--wrap=polygpu_touch_at \
// DEFINE:   -Wl,--wrap=polygpu_touch_all -Wl,--wrap=polygpu_begin_sized
// RUN: %clang_gpu %{flags} -o %t.static
// RUN: %clang_gpu_shared %{flags} -fno-pie -no-pie -o %t.shared
// RUN: env POLYGPU_DEVICE=emulated %t.static | %FileCheck %s
// RUN: env POLYGPU_DEVICE=emulated %t.shared | %FileCheck %s
// CHECK: 1000 steps, 1 run asked for, 0 touches, sum 2490
//
// The same for sizes that are not constant, as long as they are the same.
// RUN: %clang_gpu %{flags} -DSIZED -o %t.sized
// RUN: env POLYGPU_DEVICE=emulated %t.sized 8 8 | %FileCheck %s
// RUN: env POLYGPU_DEVICE=emulated %t.sized 7 8 | %FileCheck --check-prefix=TWO %s
// TWO: 1000 steps, {{[5-9]..}} runs asked for, 0 touches, sum 2490
//
// Where each run begins, or is to be heard of, all ask, and touches are told.
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=off %t.static | %FileCheck --check-prefix=ALL %s
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=off %t.shared | %FileCheck --check-prefix=ALL %s
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_COST=off POLYGPU_RESIDENCY=verify %t.static \
// RUN:   | %FileCheck --check-prefix=ALL %s
// ALL: 1000 steps, 1000 runs asked for, 2000 touches, sum 2490
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_PROFILE=lines %t.static 2>/dev/null \
// RUN:   | %FileCheck --check-prefix=HEARD %s
// HEARD: 1000 steps, 1000 runs asked for, 0 touches, sum 2490
//
// But it is asked for again where the results of another one are on the device,
// which it may need.
// DEFINE: %{cheap} = POLYGPU_COST=run=1,launch=0.001,array=0.001,in=1000,out=1000
// RUN: %clang_gpu %{flags} -DBETWEEN -o %t.between
// RUN: env POLYGPU_DEVICE=emulated %t.between | %FileCheck --check-prefix=NEVER %s
// RUN: env POLYGPU_DEVICE=emulated %{cheap} %t.between | %FileCheck --check-prefix=AGAIN %s
// NEVER: 20 steps, 2 runs asked for, 0 touches, sum 21
// AGAIN: 20 steps, 40 runs asked for, {{[1-9][0-9]*}} touches, sum 21
#include "polygpu/abi.h"

#include <stdio.h>
#include <stdlib.h>

static int asked, told;

struct polygpu_run *__real_polygpu_begin_sized(struct polygpu_scop *scop,
                                               const int64_t *params);
struct polygpu_run *__wrap_polygpu_begin_sized(struct polygpu_scop *scop,
                                               const int64_t *params)
{
    asked++;
    return __real_polygpu_begin_sized(scop, params);
}

void __real_polygpu_touch_at(const void *first, size_t bytes,
                             uint32_t read_write, const char *place);
void __wrap_polygpu_touch_at(const void *first, size_t bytes,
                             uint32_t read_write, const char *place)
{
    told++;
    __real_polygpu_touch_at(first, bytes, read_write, place);
}

void __real_polygpu_touch_all(void);
void __wrap_polygpu_touch_all(void)
{
    told++;
    __real_polygpu_touch_all();
}

static double a[8], b[8];
static int place[1000];

#ifdef SIZED
static int size[2];
#define SIZE size[t % 2]
#else
#define SIZE 8
#endif

__attribute__((noinline)) static double steps(int n)
{
    double sum = 0;
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < SIZE; i++)
            b[i] = a[i] + 1;
        sum += b[place[t]];
        a[place[t]] = t & 3;
    }
    return sum;
}

#ifdef BETWEEN
enum { LARGE = 20000 };
static double c[LARGE];

__attribute__((noinline)) static void between(int n)
{
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < LARGE; i++)
            c[i] = c[i] + 1;
        a[place[t]] = 0;
        for (int i = 0; i < 8; i++)
            b[i] = a[i] + 1;
    }
}

int main(void)
{
    between(20);
    printf("20 steps, %d runs asked for, %d touches, sum %g\n", asked, told,
           b[1] + c[LARGE - 1]);
    return 0;
}
#else
int main(int argc, char **argv)
{
#ifdef SIZED
    for (int i = 1; i < argc; i++)
        size[i - 1] = atoi(argv[i]);
#endif
    // t * t % 7, one from the other: no run of its own.
    for (int t = 1; t < 1000; t++)
        place[t] = (place[t - 1] + 2 * t - 1) % 7;
    double sum = steps(1000);
    printf("1000 steps, %d run%s asked for, %d touches, sum %g\n", asked,
           asked == 1 ? "" : "s", told, sum);
    return 0;
}
#endif
