/* test_together.c - kernels whose blocks meet, on the emulated device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "emulated/emulated.h"
#include "emulated_array.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 8, MOST = 9 * THREADS, THERE = 8 * THREADS };

static const struct polygpu_array arrays[] = {
    {"A", sizeof(double), POLYGPU_IN | POLYGPU_OUT, 0}};

enum mistake { NONE, NO_MEETING, ENDS, PARTS, UNMARKED, TOO_MANY };
static enum mistake mistake;

static const struct polygpu_access read8 = {.size = 8};
static const struct polygpu_access write8 = {.flags = POLYGPU_ACCESS_WRITE,
                                             .size = 8};

static double *at(struct polygpu_thread *self, double *a, unsigned i,
                  bool write)
{
    return self->calls->access(self, a + i, write ? &write8 : &read8);
}

/* Each thread writes its element, and adds that of the next block's thread when
 * all have: three times. */
static void meeting(void *const *args, struct polygpu_thread *self)
{
    double *a = *(double **)args[0];
    unsigned n = self->n_block[0] * THREADS, round;
    unsigned me = self->block[0] * THREADS + self->thread[0];

    for (round = 0; round < 3; ++round) {
        double other;

        if (mistake == ENDS && self->block[0] == 1 && round == 1)
            return;
        if (mistake == PARTS && self->thread[0] == 3)
            self->calls->barrier_at(self, 7, 0);
        else if (mistake != NO_MEETING)
            self->calls->grid_barrier(self, 0);
        other = *at(self, a, (me + THREADS) % n, false);
        self->calls->barrier_at(self, 1, 0);
        if (mistake != NO_MEETING)
            self->calls->grid_barrier(self, 2);
        *at(self, a, me, true) += other;
    }
}

static void expect(enum mistake made, unsigned blocks, const char *sentence)
{
    const struct polygpu_device *device = &polygpu_emulated;
    static const struct polygpu_param params[] = {{POLYGPU_PARAM_ARRAY, 0}};
    const struct polygpu_kernel kernel = {
        "meeting",
        {THREADS, 1, 1},
        POLYGPU_KERNEL_BARRIER | POLYGPU_KERNEL_CHECKED |
            (made == UNMARKED ? 0 : POLYGPU_KERNEL_GRID),
        64,
        1,
        params,
        meeting};
    const struct polygpu_scop scop = {.abi_version = POLYGPU_ABI_VERSION,
                                      .line = 1,
                                      .file = "x.c",
                                      .function = "f",
                                      .n_arrays = 1,
                                      .n_kernels = 1,
                                      .arrays = arrays,
                                      .kernels = &kernel};
    const struct polygpu_segment all = {0, THERE, 1};
    const uint32_t grid[3] = {blocks, 1, 1};
    struct polygpu_status status = {0};
    double a[MOST], b[MOST], next[MOST];
    uintptr_t address;
    void *session, *args[1] = {&address};
    unsigned round, i, n = blocks * THREADS;
    bool ok;

    mistake = made;
    check_fill(a, MOST);
    CHECK(device->start(&scop, &session, &status));
    CHECK(
        device->announce(session, 0, POLYGPU_IN | POLYGPU_OUT, &all, &status));
    address = emulated_array(session, 0, THERE * sizeof *a, &status);
    CHECK(device->copy_in(session, address, a, THERE * sizeof *a, &status));
    ok = device->launch(session, NULL, &scop, 0, grid, args, NULL, &status);
    fprintf(stderr, "%d: %s\n", (int)made, ok ? "no error" : status.text);
    CHECK(ok == !sentence);
    CHECK(ok || strstr(status.text, sentence));
    if (ok) {
        CHECK(device->copy_out(session, b, address, n * sizeof *b, &status));
        for (round = 0; round < 3; ++round) {
            for (i = 0; i < n; ++i)
                next[i] = a[i] + a[(i + THREADS) % n];
            memcpy(a, next, sizeof *a * n);
        }
        CHECK(!memcmp(a, b, n * sizeof *a));
    }
    device->free(address);
    device->stop(session);
}

int main(void)
{
    expect(NONE, 8, NULL);
    expect(NONE, 1, NULL);
    expect(NONE, 5, NULL);
    expect(NO_MEETING, 8, "in one launch");
    expect(ENDS, 8, "block 0 waits for the others, and block 1 has ended");
    expect(PARTS, 3, "barrier not reached by all threads of block (0,0,0)");
    expect(UNMARKED, 3, "blocks meet that need not be there at once");
    expect(TOO_MANY, 9, "more blocks than are there at once");
    expect(NONE, 8, NULL);
    return 0;
}
