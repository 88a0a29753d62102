// Time loops that write to the console, ask clocks and draw random numbers: none
// of it can reach an array, which stays on the device in between.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref > %t.ref.out
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu > %t.gpu.out 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: cmp %t.ref.out %t.gpu.out
// RUN: %FileCheck %s < %t.profile
// RUN: %gpu_cc -fno-builtin %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s --check-prefix=ANY
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 200 values of 8 bytes, once in and once out.
// CHECK: scop console {{.*}} runs=6 declined=0 failed=0 bytes_in=1600 bytes_out=1600 {{.*}} bytes_kept=8000
// CHECK: scop clocks {{.*}} runs=6 declined=0 failed=0 bytes_in=1600 bytes_out=1600 {{.*}} bytes_kept=8000
// CHECK: scop numbers {{.*}} runs=6 declined=0 failed=0 bytes_in=1600 bytes_out=1600 {{.*}} bytes_kept=8000
// What they write is copied there again: two values of one array, and one of the
// other, in each step behind the first.
// CHECK: scop into {{.*}} runs=6 declined=0 failed=0 bytes_in=3320 bytes_out=3320 {{.*}} bytes_kept=15880
// A function of the program's own may do anything.
// CHECK: scop own {{.*}} runs=6 declined=0 failed=0 bytes_in=9600 bytes_out=9600 {{.*}} bytes_kept=0
// With -fno-builtin these names may be the program's own as well.
// ANY: scop clocks {{.*}} runs=6 declined=0 failed=0 bytes_in=9600 bytes_out=9600 {{.*}} bytes_kept=0
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { N = 200 };

static double x[N];
static long long_x[N], other[N];

APART void console(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + 1;
        fprintf(stdout, "step %d", t);
        fputs(" of all\n", stdout);
        putchar('.');
        fflush(stdout);
    }
}

APART double clocks(double *x, int steps)
{
    double sum = 0;
    for (int t = 0; t < steps; t++) {
        struct timespec now;
        struct timeval day;
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + 1;
        clock_gettime(CLOCK_MONOTONIC, &now);
        gettimeofday(&day, NULL);
        sum += (double)now.tv_nsec + (double)day.tv_usec + (double)time(NULL) +
               (double)clock();
    }
    return sum;
}

APART double numbers(double *x, int steps)
{
    double sum = 0;
    srand(3);
    srand48(4);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            x[i] = x[i] * 0.5 + 1;
        sum += rand() % 100 + drand48() + (double)(random() % 100);
    }
    return sum;
}

APART void into(long *x, long *y, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++) {
            y[i] += x[i] / 2;
            x[i] = x[i] / 3;
        }
        clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(x + 8));
        time(y + 5);
        if (x[8] < 0 || x[9] < 0 || y[5] < 1000)
            puts("no time");
        x[8] = x[9] = y[5] = 0;
    }
}

NOINLINE long own_clock(long *x)
{
    static long *kept;
    if (x)
        kept = x;
    return kept[0]++;
}
long (*volatile asked)(long *) = own_clock;

APART long own(long *x, int steps)
{
    long sum = asked(x);
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            x[i] = x[i] / 2 + 1;
        sum += asked(NULL);
    }
    return sum;
}

int main(int argc, char **argv)
{
    double sum;

    harness_start(argc, argv);
    harness_fill(x, N, sizeof(double));
    for (int i = 0; i < N; i++) {
        long_x[i] = (long)(harness_random() * 1e9);
        other[i] = (long)(harness_random() * 1e9);
    }
    console(x, 6);
    if (!(clocks(x, 6) > 0))
        return 1;
    sum = numbers(x, 6);
    into(long_x, other, 6);
    printf("%ld\n", own(long_x, 6));
    dump_double("sum", &sum, 1);
    dump_double("x", x, N);
    dump("long_x", long_x, sizeof long_x);
    dump("other", other, sizeof other);
    return harness_end();
}
