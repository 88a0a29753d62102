// Whether an element is read is known from loops in front: ok && count == c[j]
// behind a loop that counts, twice in a row.  The loop of the second is in the
// SCoP of the first, which has to give what the branch in front of the read
// asks for, although no operation uses it while there is no branch.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env ENDS=1 POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated \
// RUN:     POLYGPU_COST=off POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as 6 kernels: compared_{{.*}} (1 parallel
// REMARK-DAG: loops offloaded as 6 kernels: noted_{{.*}} (1 parallel
// CHECK: scop compared {{.*}} runs=12 declined=0 failed=0
// CHECK: kernel compared_{{[0-9]+}}_3 device=emulated launches=12
// CHECK: scop noted {{.*}} runs=12 declined=0 failed=0
// CHECK: kernel noted_{{[0-9]+}}_3 device=emulated launches=12
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAIRS = 2, WIDTH = 37, TOTAL = 2 * PAIRS * WIDTH };

static float a[TOTAL];
static int own[PAIRS];

NOINLINE static bool compared(int rows, int width, const float *a, const int *c)
{
    bool ok = true;
    int j = 0;

    for (int i = 0; i < rows * width; i += 2 * width) {
        int count = 0;
        for (int k = i; k < i + width; k++)
            if (a[k] == 1)
                count++;
        ok = ok && count == c[j];
        count = 0;
        for (int k = i + width; k < i + 2 * width; k++)
            if (a[k] == 1)
                count++;
        ok = ok && count == width - c[j];
        j++;
    }
    return ok;
}

/* The same with a store behind the second loop. */
NOINLINE static bool noted(int rows, int width, const float *a, const int *c,
                           int *counts)
{
    bool ok = true;
    int j = 0;

    for (int i = 0; i < rows * width; i += 2 * width) {
        int count = 0;
        for (int k = i; k < i + width; k++)
            if (a[k] == 1)
                count++;
        ok = ok && count == c[j];
        int more = count;
        for (int k = i + width; k < i + 2 * width; k++)
            if (a[k] == 1)
                more++;
        if (ok)
            counts[j] = more;
        j++;
    }
    return ok;
}

/* The elements end where a page does: one more is no memory, where that is asked
 * for, and the device has to do without. */
HOST int *ending(const int *from, int n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (getenv("ENDS"))
        mprotect(all + page, page, PROT_NONE);
    int *last = (int *)(all + page) - n;
    for (int i = 0; i < n; i++)
        last[i] = from[i];
    return last;
}

HOST void fill(void)
{
    for (int r = 0; r < PAIRS; r++) {
        own[r] = 0;
        for (int k = 0; k < WIDTH; k++) {
            bool is_one = harness_random() < 0.5;
            own[r] += is_one;
            a[2 * r * WIDTH + k] = is_one ? 1 : 0;
            a[(2 * r + 1) * WIDTH + (WIDTH - 1 - k)] = is_one ? 0 : 1;
        }
    }
}

/* In row 2 * pair + second is another number than expected: no more is read, and
 * where it is a first row, no more is written. */
HOST void run(int pair, int second, int *answers)
{
    int counts = pair < PAIRS && !second ? pair : PAIRS;
    int *c = ending(own, pair < PAIRS ? pair + 1 : PAIRS);
    int *to = ending(own, counts);

    if (pair < PAIRS) {
        float *p = &a[(2 * pair + second) * WIDTH];
        *p = 1 - *p;
    }
    poison(to, (size_t)counts * sizeof *to);
    answers[0] = compared(2 * PAIRS, WIDTH, a, c);
    answers[1] = noted(2 * PAIRS, WIDTH, a, own, to);
    dump("counts", to, (size_t)counts * sizeof *to);
}

int main(int argc, char **argv)
{
    int answers[PAIRS + 1][2][2];

    harness_start(argc, argv);
    for (int pair = 0; pair <= PAIRS; pair++)
        for (int second = 0; second < 2; second++) {
            fill();
            run(pair, second && pair < PAIRS, answers[pair][second]);
        }
    dump("answers", answers, sizeof answers);
    return harness_end();
}
