/* test_words.c - what the emulated device finds in shared memory whose words
 * are accessed as words, in parts and across their ends, against a list of all
 * accesses that is compared byte by byte.
 *
 *   polygpu_rt_words_test          the test
 *   polygpu_rt_words_test print    also what is found
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "emulated/accesses.h"
#include "emulated/shadow.h"
#include "support/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    N_THREADS = 4,
    N_BYTES = 48, /* of shared memory, as are all numbers here */
    BEGIN = 4,    /* of the array */
    END = 46,
    MOST = 40, /* accesses of a block */
    N_PROGRAMS = 40000
};

struct access {
    uint32_t flags, at, size, thread, epoch;
};

/* ---- What is right ------------------------------------------------------- */

static struct access list[2 * MOST];
static int n_list;
static bool flies[N_BYTES], has_value[N_BYTES];

static bool is_race(const struct access *a, const struct access *b,
                    uint32_t byte)
{
    return byte >= a->at && byte < a->at + a->size && a->epoch == b->epoch &&
           a->thread != b->thread &&
           ((a->flags | b->flags) &
            (POLYGPU_ACCESS_WRITE | POLYGPU_ACCESS_ATOMIC)) &&
           !(a->flags & b->flags & POLYGPU_ACCESS_ATOMIC);
}

/* The first byte at which "new" is wrong, or N_BYTES. */
static uint32_t wrong_byte(const struct access *new)
{
    uint32_t byte;
    int i;

    for (byte = new->at; byte < new->at + new->size; ++byte) {
        if (flies[byte])
            return byte;
        if (polygpu_access_reads(new->flags) && !has_value[byte])
            return byte;
        for (i = 0; i < n_list; ++i)
            if (is_race(&list[i], new, byte))
                return byte;
    }
    list[n_list++] = *new;
    for (byte = new->at; byte < new->at + new->size; ++byte)
        has_value[byte] |= polygpu_access_writes(new->flags);
    return N_BYTES;
}

/* ---- What is found ------------------------------------------------------- */

static const struct polygpu_kernel kernel = {
    .name = "words", .block = {N_THREADS, 1, 1}, .shared_bytes = N_BYTES};
static const struct polygpu_scop scop = {.n_kernels = 1, .kernels = &kernel};
static struct polygpu_shadow *shadow;
static struct polygpu_status status;
static _Alignas(64) char shared[N_BYTES];
static uint32_t elem_size;
static bool print;

static struct polygpu_access describe(const struct access *a)
{
    return (struct polygpu_access){.flags = a->flags | POLYGPU_ACCESS_SHARED,
                                   .size = a->size,
                                   .line = 1,
                                   .name = "tile",
                                   .offset = BEGIN,
                                   .bytes = END - BEGIN,
                                   .elem_size = elem_size};
}

/* The error is the one at "byte", or there is none. */
static bool is_right(uint32_t byte)
{
    char text[64];

    if (print && byte < N_BYTES)
        puts(status.text);
    if (byte == N_BYTES) {
        CHECK(!polygpu_shadow_failed(shadow));
        return true;
    }
    CHECK(polygpu_shadow_failed(shadow));
    snprintf(text, sizeof text, "shared tile[%u] ",
             (unsigned)((byte - BEGIN) / elem_size));
    CHECK(strstr(status.text, text));
    return false;
}

/* ---- Programs ------------------------------------------------------------ */

static uint32_t below(uint32_t n)
{
    return (uint32_t)(check_random() % n);
}

/* Copies that are not done. */
static struct copy {
    struct access access;
    struct polygpu_access load, store;
    struct polygpu_async_copy copy;
} copies[MOST];
static int n_copies;

static void fly(const struct access *a, bool does)
{
    memset(flies + a->at, does, a->size);
}

static bool begin_copy(const struct polygpu_thread *self,
                       const struct access *a)
{
    struct copy *c = &copies[n_copies++];
    uint32_t byte = wrong_byte(a);

    c->access = *a;
    c->store = describe(a);
    c->load = (struct polygpu_access){.size = a->size, .line = 2};
    c->copy = (struct polygpu_async_copy){.to = shared + a->at,
                                          .from = shared,
                                          .size = a->size,
                                          .load = &c->load,
                                          .store = &c->store};
    CHECK(polygpu_shadow_copy(shadow, self, &c->copy) == (byte == N_BYTES));
    fly(a, true);
    return is_right(byte);
}

static bool end_copy(struct polygpu_thread *self, uint32_t epoch)
{
    struct copy c = copies[--n_copies];
    uint32_t byte;

    fly(&c.access, false);
    c.access.epoch = epoch;
    c.copy.load = &c.load, c.copy.store = &c.store;
    self->thread[0] = c.access.thread;
    byte = wrong_byte(&c.access);
    CHECK(polygpu_shadow_copied(shadow, self, &c.copy) == (byte == N_BYTES));
    return is_right(byte);
}

static bool access_one(struct polygpu_thread *self, uint32_t epoch)
{
    static const uint32_t flags[] = {0, 0, POLYGPU_ACCESS_WRITE,
                                     POLYGPU_ACCESS_WRITE,
                                     POLYGPU_ACCESS_ATOMIC};
    struct access a = {.flags = flags[below(5)], .epoch = epoch};
    struct polygpu_access access;
    uint32_t byte;

    a.size = 1u << below(5);
    a.at = (BEGIN + below(END - BEGIN)) / a.size * a.size;
    if (a.at < BEGIN || a.at + a.size > END)
        return true;
    /* Errors are to be rare. */
    a.thread = self->thread[0] = below(12) ? a.at / 16 : below(N_THREADS);
    if (below(12) && memchr(flies + a.at, true, a.size))
        return true;
    if (below(12) && memchr(has_value + a.at, false, a.size))
        a.flags = POLYGPU_ACCESS_WRITE;
    if (a.flags == POLYGPU_ACCESS_WRITE && a.size >= 4 && below(4) == 0)
        return begin_copy(self, &a);
    access = describe(&a);
    byte = wrong_byte(&a);
    CHECK((polygpu_shadow_access(shadow, self, shared + a.at, &access) ==
           shared + a.at) == (byte == N_BYTES));
    return is_right(byte);
}

/* Until there is an error; how many accesses are right? */
static int run_block(uint32_t block)
{
    struct polygpu_thread self = {.block = {block, 0, 0},
                                  .n_thread = {N_THREADS, 1, 1},
                                  .n_block = {2, 1, 1},
                                  .shared = shared};
    uint32_t epoch = 0;
    int i;

    n_list = n_copies = 0;
    memset(flies, 0, sizeof flies);
    memset(has_value, 0, sizeof has_value);
    polygpu_shadow_block(shadow, &self);
    for (i = 0; i < MOST; ++i) {
        if (below(6) == 0) {
            polygpu_shadow_barrier(shadow);
            ++epoch;
        }
        if (n_copies && below(3) == 0 && !end_copy(&self, epoch))
            return i;
        if (!access_one(&self, epoch))
            return i;
    }
    return i;
}

int main(int argc, char **argv)
{
    int i, whole = 0, late = 0;

    print = argc > 1 && !strcmp(argv[1], "print");
    for (i = 0; i < N_PROGRAMS; ++i) {
        uint32_t block;
        int right = MOST;

        elem_size = 1u << below(4);
        memset(&status, 0, sizeof status);
        shadow = polygpu_shadow_new(&scop, &status);
        CHECK(shadow && polygpu_shadow_launch(shadow, 0, NULL, NULL, &status));
        for (block = 0; block < 2 && right == MOST; ++block)
            right = run_block(block);
        whole += right == MOST;
        late += right < MOST && right > 8;
        polygpu_shadow_launched(shadow);
        polygpu_shadow_free(shadow);
    }
    printf("%d of %d without an error, %d with a late one\n", whole, N_PROGRAMS,
           late);
    CHECK(late > N_PROGRAMS / 20);
    return 0;
}
