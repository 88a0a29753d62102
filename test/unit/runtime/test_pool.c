/* test_pool.c - the pool over a device of which we know each piece.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "check.h"
#include "core/buffers.h"
#include "core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1000 };

/* What the device has; "lent" is 0 where no array has it. */
static struct {
    size_t capacity, lent;
} pieces[MOST];
static size_t limit = SIZE_MAX, used;
static unsigned n_allocs, n_frees, reset;
static pthread_mutex_t pieces_lock = PTHREAD_MUTEX_INITIALIZER;

static bool test_alloc(size_t size, uintptr_t *address,
                       struct polygpu_status *status)
{
    unsigned i = 1;
    bool ok;

    pthread_mutex_lock(&pieces_lock);
    while (i < MOST && pieces[i].capacity)
        ++i;
    CHECK(i < MOST && size > 0);
    ok = size <= limit - used;
    if (ok) {
        pieces[i].capacity = size;
        used += size;
        ++n_allocs;
    }
    pthread_mutex_unlock(&pieces_lock);
    *address = i;
    return ok ||
           polygpu_fail(status, POLYGPU_CAUSE_MEMORY, "no %zu bytes", size);
}

static void test_free(uintptr_t i)
{
    pthread_mutex_lock(&pieces_lock);
    CHECK(pieces[i].capacity && !pieces[i].lent);
    used -= pieces[i].capacity;
    pieces[i].capacity = 0;
    ++n_frees;
    pthread_mutex_unlock(&pieces_lock);
}

static void test_lend(uintptr_t i, size_t size, size_t capacity)
{
    pthread_mutex_lock(&pieces_lock);
    CHECK(pieces[i].capacity == capacity && size <= capacity);
    CHECK(!pieces[i].lent != !size);
    pieces[i].lent = size;
    pthread_mutex_unlock(&pieces_lock);
}

static unsigned test_generation(void)
{
    return reset;
}

static const struct polygpu_device device = {
    .name = "test",
    .generation = test_generation,
    .alloc = test_alloc,
    .free = test_free,
    .lend = test_lend,
};

static struct polygpu_piece *take(size_t size)
{
    struct polygpu_status status = {0};
    struct polygpu_piece *piece = polygpu_pool_take(&device, size, &status);

    CHECK(!piece == (status.cause != POLYGPU_OK));
    if (piece)
        CHECK(piece->size == size && pieces[piece->address].lent == size);
    return piece;
}

/* A class has room, an eighth too much at most, and is its own class. */
static void test_classes(void)
{
    size_t size, capacity;
    int i;

    for (i = 0; i < 100000; ++i) {
        size = (size_t)(check_random() >> (check_random() % 63 + 1)) + 1;
        capacity = polygpu_pool_class(size);
        CHECK(capacity >= size && capacity >= 512);
        CHECK(capacity == 512 || capacity - size <= size / 8);
        CHECK(polygpu_pool_class(capacity) == capacity);
        CHECK(polygpu_pool_class(size + 1) >= capacity);
    }
    CHECK(polygpu_pool_class(SIZE_MAX) == SIZE_MAX);
}

/* What was given back goes to the next array of the class, and to no other. */
static void test_reuse(void)
{
    struct polygpu_piece *a = take(1000), *b = take(1000), *c;
    uintptr_t first = a->address;
    unsigned before = n_allocs;

    CHECK(b->address != first);
    polygpu_pool_give(a);
    c = take(2000);
    CHECK(n_allocs == before + 1 && c->address != first);
    a = take(1024);
    CHECK(n_allocs == before + 1 && a->address == first);
    polygpu_pool_give(a);
    polygpu_pool_give(b);
    polygpu_pool_give(c);
    polygpu_pool_give(NULL);
    CHECK(used == 2 * 1024 + 2048);
    CHECK(polygpu_pool_empty() == 2 * 1024 + 2048 && used == 0);
}

/* The oldest ones go when they are too many, or too large. */
static void test_bounds(void)
{
    enum { SIZE = 256 * 1024 * 1024 };
    struct polygpu_piece *all[POLYGPU_POOL_MOST_PIECES + 1];
    unsigned i, before;

    for (i = 0; i <= POLYGPU_POOL_MOST_PIECES; ++i)
        all[i] = take(i == 0 ? 600 : 512);
    for (i = 0; i <= POLYGPU_POOL_MOST_PIECES; ++i)
        polygpu_pool_give(all[i]);
    CHECK(used == (size_t)POLYGPU_POOL_MOST_PIECES * 512);
    for (i = 0; i < 5; ++i)
        all[i] = take(SIZE + i * (SIZE / 8));
    CHECK(used > POLYGPU_POOL_MOST_BYTES);
    for (i = 0; i < 5; ++i)
        polygpu_pool_give(all[i]);
    CHECK(used <= POLYGPU_POOL_MOST_BYTES);
    before = n_allocs;
    polygpu_pool_give(take(SIZE + SIZE / 2));
    CHECK(n_allocs == before);
    polygpu_pool_give(take((size_t)POLYGPU_POOL_MOST_BYTES + 1));
    CHECK(used <= POLYGPU_POOL_MOST_BYTES);
    polygpu_pool_empty();
    CHECK(used == 0);
}

/* When memory is short: what nobody has is freed; the class is more than there
 * is, the array's words not; nothing helps, and the sentence has the sizes. */
static void test_pressure(void)
{
    enum { MIB = 1024 * 1024 };
    struct polygpu_status status = {0};
    struct polygpu_piece *small, *large;
    unsigned frees;

    limit = (size_t)33 * MIB;
    small = take(MIB);
    large = take(20 * MIB);
    polygpu_pool_give(large);
    frees = n_frees;
    large = take(31 * MIB);
    CHECK(large && large->capacity == (size_t)32 * MIB);
    CHECK(n_frees == frees + 1);
    polygpu_pool_give(large);
    polygpu_pool_empty();
    limit = (size_t)30 * MIB;
    large = take(28 * MIB + 1);
    CHECK(large && large->capacity == (size_t)28 * MIB + 16);
    CHECK(!polygpu_pool_take(&device, 3 * MIB, &status));
    CHECK(strstr(status.text, "no 3145728 bytes; this process has 30408720 "
                              "bytes there, for 2 arrays"));
    polygpu_pool_give(large);
    large = take(29 * MIB);
    CHECK(large);
    polygpu_pool_give(large);
    polygpu_pool_give(small);
    polygpu_pool_empty();
    limit = SIZE_MAX;
    CHECK(used == 0);
}

/* A reset frees everything; nobody frees it again or gets it. */
static void test_reset(void)
{
    struct polygpu_piece *idle = take(5000), *taken = take(5000), *next;

    polygpu_pool_give(idle);
    memset(pieces, 0, sizeof pieces);
    used = 0;
    ++reset;
    next = take(5000);
    CHECK(used == polygpu_pool_class(5000));
    polygpu_pool_give(taken);
    polygpu_pool_give(next);
    polygpu_pool_empty();
    CHECK(used == 0);
}

static void *work(void *arg)
{
    struct polygpu_piece *have[4] = {NULL};
    int i;

    (void)arg;
    for (i = 0; i < 3000; ++i) {
        unsigned k = (unsigned)(check_random() % 4);

        polygpu_pool_give(have[k]);
        have[k] = take((size_t)(check_random() % 3000) + 1);
        if (i % 100 == 0)
            polygpu_pool_empty();
    }
    for (i = 0; i < 4; ++i)
        polygpu_pool_give(have[i]);
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[8];
    int i;

    for (i = 0; i < 8; ++i)
        CHECK(!pthread_create(&threads[i], NULL, work, NULL));
    for (i = 0; i < 8; ++i)
        pthread_join(threads[i], NULL);
    polygpu_pool_empty();
    CHECK(used == 0);
}

/* The child has none of the parent's, not even to free. */
static void test_fork(void)
{
    unsigned allocs, frees = n_frees;
    pid_t pid;
    int status;

    polygpu_pool_give(take(700));
    allocs = n_allocs;
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        polygpu_pool_empty();
        CHECK(n_frees == frees);
        polygpu_pool_give(take(700));
        CHECK(n_allocs == allocs + 1);
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    polygpu_pool_give(take(700));
    CHECK(n_allocs == allocs);
}

/* Large buffers come again for about as many bytes, until they are freed. */
static void test_buffers(void)
{
    enum { SIZE = 1 << 20, N = 6 };
    size_t capacity, i;
    char *first = polygpu_buffer_take(SIZE, &capacity), *small, *many[N];

    CHECK(first && capacity == SIZE);
    memset(first, 1, SIZE);
    polygpu_buffer_give(first, capacity);
    small = polygpu_buffer_take(SIZE / 4, &capacity); /* too few for it */
    CHECK(small && small != first && capacity == SIZE / 4);
    CHECK(polygpu_buffer_take(SIZE - 100, &capacity) == first);
    CHECK(capacity == SIZE);
    polygpu_buffer_give(first, capacity);
    polygpu_buffer_give(small, SIZE / 4);
    for (i = 0; i < N; ++i)
        CHECK((many[i] = polygpu_buffer_take(SIZE, &capacity)));
    for (i = 0; i < N; ++i) /* more than there are places for */
        polygpu_buffer_give(many[i], SIZE);
    polygpu_buffers_free();
    polygpu_buffers_free();
}

int main(void)
{
    test_buffers();
    test_classes();
    test_reuse();
    test_bounds();
    test_pressure();
    test_reset();
    test_threads();
    test_fork();
    return 0;
}
