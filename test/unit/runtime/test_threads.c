/* test_threads.c - eight threads, the same SCoP and one each.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "example.h"
#include "tests.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct polygpu_scop shared_scop;

static void *work(void *arg)
{
    enum { N = 777 };
    double a[N], b[N], a2[N], b2[N];
    struct polygpu_scop own = example_scop;
    int round;

    (void)arg;
    for (round = 0; round < 40; ++round) {
        check_fill(a, N);
        check_fill(b, N);
        memcpy(a2, a, sizeof a);
        memcpy(b2, b, sizeof b);
        CHECK(example_pair(round % 2 ? &own : &shared_scop, a, b, N, 2) == 1);
        example_pair_here(a2, b2, N, 2);
        CHECK(!memcmp(a, a2, sizeof a) && !memcmp(b, b2, sizeof b));
        if (!strcmp(getenv("POLYGPU_DEVICE"), "emulated") && round % 8 == 0)
            test_barrier();
    }
    return NULL;
}

void test_threads(void)
{
    pthread_t threads[8];
    int i;

    shared_scop = example_scop;
    for (i = 0; i < 8; ++i)
        CHECK(!pthread_create(&threads[i], NULL, work, NULL));
    for (i = 0; i < 8; ++i)
        pthread_join(threads[i], NULL);
}
