/* shadow.c - see shadow.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/shadow.h"

#include "emulated/accesses.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of an element or byte, beside who accessed it: a byte of its
 * own, since all of an array's are looked at before a run and behind it. */
enum {
    ANNOUNCED = 1, /* by any polygpu_move */
    MAY_IN = 2,
    MAY_OUT = 4,
    HAS_VALUE = 8, /* copied in or written */
    WRITTEN = 16,
    LAST_ATOMIC = 32, /* the last write was one */
    IN_FLIGHT = 64,   /* an asynchronous copy goes there, in shared memory */
    MAY_WRITE = 128   /* more was told of it than that it is copied in */
};

/* Who made an access. */
struct stamp {
    uint32_t block; /* linear, as is the thread */
    uint32_t epoch; /* barriers that the block had passed */
    uint32_t line;
    uint16_t thread;
};

/* Of the accesses of one kind to a cell in this launch, as many are known as
 * are needed to know whether one is not ordered before the next access by some
 * thread: the last one, the last one by another thread between the same
 * barriers, and one by another block than the last one's. */
enum kind { READ, WRITE, ATOMIC, N_KINDS };
enum which { LAST, BESIDE, ELSEWHERE, N_OF_KIND };

/* The last accesses come first, beside what is asked of all cells: the others
 * are most often not there, and cells are larger than a line of the cache. */
struct cell {
    uint64_t serial; /* of the launch, or block, that the stamps are of */
    uint32_t valid;  /* stamps, a bit for each: bit_of; and PARTED */
    uint32_t kernel; /* that wrote */
    uint64_t written;
    struct stamp stamps[N_OF_KIND][N_KINDS];
};

/* Bytes of shared memory are mostly accessed as words.  What is known of the
 * bytes of a word is in the word's cell until only some of them are accessed;
 * from then on, in this block, it is in their own. */
enum { WORD = 4 /* bytes, as many as the smallest asynchronous copy */ };
#define PARTED (UINT32_C(1) << 31)

static uint32_t bit_of(enum kind kind, enum which which)
{
    return UINT32_C(1) << (N_OF_KIND * kind + which);
}

static uint32_t bits_of(enum kind kind)
{
    return ((UINT32_C(1) << N_OF_KIND) - 1) << (N_OF_KIND * kind);
}

struct announced {
    uint32_t array, dir;
    struct polygpu_segment segment;
};

struct copy {
    uint8_t *bits;      /* one per element; NULL: no device copy */
    struct cell *cells; /* likewise; what they hold means nothing before the
                           first access of a launch, "kernel" and "written"
                           nothing before bits say WRITTEN */
    size_t capacity;    /* of cells */
    size_t n;
    int64_t first;
    uintptr_t address;
    int shift; /* the size of elements is 1 << shift; -1: another one */
};

struct polygpu_shadow {
    const struct polygpu_scop *scop;
    struct announced *announced;
    size_t n_announced, capacity;
    struct copy *copies; /* scop->n_arrays */

    uint64_t launch; /* its serial */
    const struct polygpu_kernel *kernel;
    uint32_t number; /* of the kernel */
    void *const *args;
    struct polygpu_status *status;
    struct polygpu_counter counter;
    bool failed;
    uint64_t n_writes; /* counts elements, words and bytes, in all launches */

    struct polygpu_thread block;
    uint32_t epoch;
    struct cell *words;  /* of shared memory */
    struct cell *shared; /* one per byte */
    uint8_t *shared_bits;
    uint32_t shared_bytes;
    uint64_t shared_serial; /* of the block */

    _Alignas(64) char harmless[256]; /* what an access after an error gets */
};

/* A number for a launch, or for a block, that none has had before. */
static uint64_t next_serial(void)
{
    static uint64_t serial;

    return __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
}

/* Cells of runs that have ended, for those to come: of the time of a program
 * with many runs, most would go into pages that the system clears. */
enum { N_KEPT = 8, MOST_KEPT = 64 << 20 /* bytes of a block */ };
static struct {
    pthread_mutex_t lock;
    struct {
        struct cell *cells;
        size_t capacity;
    } blocks[N_KEPT];
    unsigned oldest;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* At least n cells, in which no serial is one of a launch to come; NULL if
 * there is no memory. */
static struct cell *take_cells(size_t n, size_t *capacity)
{
    struct cell *cells = NULL;
    unsigned k, best = N_KEPT;

    pthread_mutex_lock(&kept.lock);
    for (k = 0; k < N_KEPT; ++k)
        if (kept.blocks[k].cells && kept.blocks[k].capacity >= n &&
            (best == N_KEPT ||
             kept.blocks[k].capacity < kept.blocks[best].capacity))
            best = k;
    if (best < N_KEPT) {
        cells = kept.blocks[best].cells;
        *capacity = kept.blocks[best].capacity;
        kept.blocks[best].cells = NULL;
    }
    pthread_mutex_unlock(&kept.lock);
    if (cells)
        return cells;
    *capacity = n ? n : 1;
    return calloc(*capacity, sizeof *cells);
}

static void give_cells(struct cell *cells, size_t capacity)
{
    unsigned k;

    if (cells && capacity <= MOST_KEPT / sizeof *cells) {
        pthread_mutex_lock(&kept.lock);
        for (k = 0; k < N_KEPT && kept.blocks[k].cells; ++k)
            ;
        if (k == N_KEPT) {
            k = kept.oldest;
            kept.oldest = (k + 1) % N_KEPT;
        }
        free(kept.blocks[k].cells);
        kept.blocks[k].cells = cells;
        kept.blocks[k].capacity = capacity;
        cells = NULL;
        pthread_mutex_unlock(&kept.lock);
    }
    free(cells);
}

__attribute__((destructor)) static void free_kept(void)
{
    unsigned k;

    pthread_mutex_lock(&kept.lock);
    for (k = 0; k < N_KEPT; ++k) {
        free(kept.blocks[k].cells);
        kept.blocks[k].cells = NULL;
    }
    pthread_mutex_unlock(&kept.lock);
}

static int shift_of(uint32_t size)
{
    return size && (size & (size - 1)) == 0 ? __builtin_ctz(size) : -1;
}

struct polygpu_shadow *polygpu_shadow_new(const struct polygpu_scop *scop,
                                          struct polygpu_status *status)
{
    struct polygpu_shadow *s = calloc(1, sizeof *s);
    uint32_t a;

    if (s)
        s->copies = calloc((size_t)scop->n_arrays + 1, sizeof *s->copies);
    if (s && s->copies) {
        s->scop = scop;
        for (a = 0; a < scop->n_arrays; ++a)
            s->copies[a].shift = shift_of(scop->arrays[a].elem_size);
        return s;
    }
    free(s);
    polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                 "no host memory for the checks of the emulated device");
    return NULL;
}

void polygpu_shadow_free(struct polygpu_shadow *s)
{
    uint32_t a;

    if (!s)
        return;
    for (a = 0; a < s->scop->n_arrays; ++a) {
        free(s->copies[a].bits);
        give_cells(s->copies[a].cells, s->copies[a].capacity);
    }
    free(s->copies);
    free(s->announced);
    free(s->words);
    free(s->shared);
    free(s->shared_bits);
    polygpu_counter_free(&s->counter);
    free(s);
}

bool polygpu_shadow_announce(struct polygpu_shadow *s, uint32_t array,
                             uint32_t dir,
                             const struct polygpu_segment *segment,
                             struct polygpu_status *status)
{
    if (s->n_announced == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 64;
        struct announced *more = realloc(s->announced, capacity * sizeof *more);

        if (!more)
            return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                                "no host memory for the checks of the "
                                "emulated device");
        s->announced = more;
        s->capacity = capacity;
    }
    s->announced[s->n_announced++] = (struct announced){array, dir, *segment};
    return true;
}

static void mark(struct copy *copy, const struct announced *about)
{
    uint8_t bits = ANNOUNCED;
    int64_t i;

    if (about->dir & POLYGPU_IN)
        bits |= MAY_IN;
    if (about->dir & POLYGPU_OUT)
        bits |= MAY_OUT;
    if (about->dir != POLYGPU_IN)
        bits |= MAY_WRITE;
    for (i = 0; i < about->segment.count; ++i) {
        int64_t at = about->segment.first + i * about->segment.stride;

        copy->bits[at - copy->first] |= bits;
    }
}

bool polygpu_shadow_alloc(struct polygpu_shadow *s, uint32_t array,
                          int64_t first, size_t size, uintptr_t address,
                          struct polygpu_status *status)
{
    struct copy *copy = &s->copies[array];
    size_t i;

    copy->n = size / s->scop->arrays[array].elem_size;
    copy->first = first;
    copy->address = address;
    copy->bits = calloc(copy->n, 1);
    copy->cells = copy->bits ? take_cells(copy->n, &copy->capacity) : NULL;
    if (!copy->cells)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory to check the %zu elements of "
                            "array %s",
                            copy->n, s->scop->arrays[array].name);
    for (i = 0; i < s->n_announced; ++i)
        if (s->announced[i].array == array)
            mark(copy, &s->announced[i]);
    return true;
}

/* The elements between those announced got no value of the user's. */
void polygpu_shadow_copied_in(struct polygpu_shadow *s, uintptr_t address,
                              size_t size)
{
    uint32_t a;

    for (a = 0; a < s->scop->n_arrays; ++a) {
        struct copy *copy = &s->copies[a];
        size_t elem = s->scop->arrays[a].elem_size, i;

        if (!copy->bits || address < copy->address ||
            address >= copy->address + copy->n * elem)
            continue;
        for (i = (address - copy->address) / elem;
             i < copy->n && copy->address + i * elem < address + size; ++i)
            if (copy->bits[i] & MAY_IN)
                copy->bits[i] |= HAS_VALUE;
    }
}

/* ---- Reports ------------------------------------------------------------ */

struct place {
    char text[96];
};

static struct place place(const struct polygpu_shadow *s,
                          const struct stamp *who)
{
    const uint32_t *t = s->block.n_thread, *b = s->block.n_block;
    struct place p;
    int n;

    n = snprintf(
        p.text, sizeof p.text, "thread (%u,%u,%u) of block (%u,%u,%u)",
        (unsigned)(who->thread % t[0]), (unsigned)(who->thread / t[0] % t[1]),
        (unsigned)(who->thread / t[0] / t[1]), (unsigned)(who->block % b[0]),
        (unsigned)(who->block / b[0] % b[1]),
        (unsigned)(who->block / b[0] / b[1]));
    if (who->line)
        snprintf(p.text + n, sizeof p.text - (size_t)n, " in line %u",
                 (unsigned)who->line);
    return p;
}

static void error(struct polygpu_shadow *s, const char *text)
{
    if (s->failed)
        return;
    s->failed = true;
    polygpu_fail(s->status, POLYGPU_CAUSE_LAUNCH, "checked kernel %s: %s",
                 s->kernel->name, text);
}

static const char *verb(uint32_t flags)
{
    return flags & POLYGPU_ACCESS_ATOMIC  ? "atomically updated"
           : flags & POLYGPU_ACCESS_WRITE ? "written"
                                          : "read";
}

/* What is accessed: an element of an array, or of an array in shared memory,
 * whose number is a quotient that only reports need. */
struct element {
    const char *space, *name;
    int64_t at, size;
};

static long long number_of(const struct element *e)
{
    return (long long)(e->at / e->size);
}

static void report_one(struct polygpu_shadow *s, const struct element *e,
                       uint32_t flags, const struct stamp *me, const char *what)
{
    char text[400];

    snprintf(text, sizeof text, "%s%.60s[%lld] %s by %s, %s", e->space, e->name,
             number_of(e), verb(flags), place(s, me).text, what);
    error(s, text);
}

static void report_race(struct polygpu_shadow *s, const struct element *e,
                        uint32_t flags, const struct stamp *me,
                        uint32_t other_flags, const struct stamp *other)
{
    char text[400];

    snprintf(text, sizeof text, "%s%.60s[%lld] %s by %s and %s by %s, %s",
             e->space, e->name, number_of(e), verb(other_flags),
             place(s, other).text, verb(flags), place(s, me).text,
             other->block == me->block ? "with no barrier between"
                                       : "in one launch");
    error(s, text);
}

static void report_in_flight(struct polygpu_shadow *s, const struct element *e,
                             uint32_t flags, const struct stamp *me,
                             const struct stamp *copier)
{
    char text[400];

    snprintf(text, sizeof text,
             "%s%.60s[%lld] %s by %s, while %s copies it; nobody has waited "
             "for that",
             e->space, e->name, number_of(e), verb(flags), place(s, me).text,
             place(s, copier).text);
    error(s, text);
}

/* ---- Races -------------------------------------------------------------- */

/* Is "before", which happened earlier here, not ordered before "me"? */
static bool unordered(const struct stamp *before, const struct stamp *me)
{
    return before->block != me->block ||
           (before->epoch == me->epoch && before->thread != me->thread);
}

static const struct stamp *
find_unordered(const struct cell *cell, enum kind kind, const struct stamp *me)
{
    int which;

    if (!(cell->valid & bits_of(kind)))
        return NULL;
    for (which = LAST; which < N_OF_KIND; ++which)
        if ((cell->valid & bit_of(kind, (enum which)which)) &&
            unordered(&cell->stamps[which][kind], me))
            return &cell->stamps[which][kind];
    return NULL;
}

static void add(struct cell *cell, enum kind kind, const struct stamp *me)
{
    struct stamp *last = &cell->stamps[LAST][kind];

    if (cell->valid & bit_of(kind, LAST)) {
        if (last->block != me->block) {
            cell->stamps[ELSEWHERE][kind] = *last;
            cell->valid |= bit_of(kind, ELSEWHERE);
            cell->valid &= ~bit_of(kind, BESIDE);
        } else if (last->epoch != me->epoch) {
            cell->valid &= ~bit_of(kind, BESIDE);
        } else if (last->thread != me->thread) {
            cell->stamps[BESIDE][kind] = *last;
            cell->valid |= bit_of(kind, BESIDE);
        }
    }
    *last = *me;
    cell->valid |= bit_of(kind, LAST);
}

/* Compare an access with those before it, and remember it. */
static void follow(struct polygpu_shadow *s, struct cell *cell, uint64_t serial,
                   const struct element *e, uint32_t flags,
                   const struct stamp *me)
{
    bool atomic = flags & POLYGPU_ACCESS_ATOMIC;
    bool write = !atomic && (flags & POLYGPU_ACCESS_WRITE);
    const struct stamp *other;

    if (cell->serial != serial) {
        cell->valid = 0;
        cell->serial = serial;
    }
    if ((other = find_unordered(cell, WRITE, me)))
        report_race(s, e, flags, me, POLYGPU_ACCESS_WRITE, other);
    if ((write || atomic) && (other = find_unordered(cell, READ, me)))
        report_race(s, e, flags, me, 0, other);
    if (!atomic && (other = find_unordered(cell, ATOMIC, me)))
        report_race(s, e, flags, me, POLYGPU_ACCESS_ATOMIC, other);
    add(cell, atomic ? ATOMIC : write ? WRITE : READ, me);
}

/* ---- Launches ----------------------------------------------------------- */

/* For all of the kernel's shared memory, in whole words. */
static bool make_shared(struct polygpu_shadow *s)
{
    size_t n = (size_t)s->kernel->shared_bytes / WORD + 1;

    free(s->words);
    free(s->shared);
    free(s->shared_bits);
    s->shared_bytes = 0;
    s->words = calloc(n, sizeof *s->words);
    s->shared = calloc(n * WORD, sizeof *s->shared);
    s->shared_bits = calloc(n * WORD, 1);
    if (!s->words || !s->shared || !s->shared_bits)
        return false;
    s->shared_bytes = s->kernel->shared_bytes;
    return true;
}

bool polygpu_shadow_launch(struct polygpu_shadow *s, uint32_t kernel,
                           void *const *args,
                           struct polygpu_access_stats *stats,
                           struct polygpu_status *status)
{
    const uint32_t *n;

    s->kernel = &s->scop->kernels[kernel];
    s->number = kernel;
    s->args = args;
    s->status = status;
    s->launch = next_serial();
    if (s->kernel->shared_bytes > s->shared_bytes && !make_shared(s))
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory to check the shared memory of "
                            "kernel %s",
                            s->kernel->name);
    n = s->kernel->block;
    polygpu_counter_begin(&s->counter, n[0] * n[1] * n[2], stats);
    return true;
}

void polygpu_shadow_block(struct polygpu_shadow *s,
                          const struct polygpu_thread *block)
{
    s->block = *block;
    s->epoch = 0;
    s->shared_serial = next_serial();
    if (s->counter.stats)
        polygpu_counter_part(&s->counter);
}

void polygpu_shadow_barrier(struct polygpu_shadow *s)
{
    ++s->epoch;
    if (!s->counter.stats)
        return;
    ++s->counter.stats->barriers;
    polygpu_counter_part(&s->counter);
}

void polygpu_shadow_met(struct polygpu_shadow *s)
{
    s->launch = next_serial();
}

void polygpu_shadow_launched(struct polygpu_shadow *s)
{
    polygpu_counter_end(&s->counter);
}

bool polygpu_shadow_failed(const struct polygpu_shadow *s)
{
    return s->failed;
}

/* ---- Accesses ----------------------------------------------------------- */

static bool access_cell(struct polygpu_shadow *s, struct cell *cell,
                        uint8_t *bits, uint64_t serial, const struct element *e,
                        uint32_t flags, const struct stamp *me,
                        const char *no_value)
{
    if (polygpu_access_reads(flags) && !(*bits & HAS_VALUE)) {
        report_one(s, e, flags, me, no_value);
        return false;
    }
    follow(s, cell, serial, e, flags, me);
    if (polygpu_access_writes(flags)) {
        *bits |= HAS_VALUE | WRITTEN;
        if (flags & POLYGPU_ACCESS_ATOMIC)
            *bits |= LAST_ATOMIC;
        else
            *bits &= (uint8_t)~LAST_ATOMIC;
        cell->written = ++s->n_writes;
        cell->kernel = s->number;
    }
    return !s->failed;
}

static bool is_array(const struct polygpu_shadow *s, uint32_t param)
{
    return param < s->kernel->n_params &&
           s->kernel->params[param].kind == POLYGPU_PARAM_ARRAY;
}

/* The parameter of the kernel with the array that "access" goes to: what it
 * says, or, where the compiler left that open, the array whose device copy
 * "address" is in; UINT32_MAX if there is none. */
static uint32_t find_array(const struct polygpu_shadow *s, uintptr_t address,
                           const struct polygpu_access *access)
{
    uint32_t p;

    if (access->param != UINT32_MAX)
        return is_array(s, access->param) ? access->param : UINT32_MAX;
    for (p = 0; p < s->kernel->n_params; ++p) {
        uint32_t array = s->kernel->params[p].value;
        const struct copy *copy;

        if (!is_array(s, p))
            continue;
        copy = &s->copies[array];
        if (copy->bits && address >= copy->address &&
            address - copy->address <
                copy->n * s->scop->arrays[array].elem_size)
            return p;
    }
    return UINT32_MAX;
}

/* A GPU has no other accesses than those at multiples of their size. */
static bool check_aligned(struct polygpu_shadow *s, uintptr_t address,
                          const struct polygpu_access *access,
                          const struct element *e, const struct stamp *me)
{
    uint32_t size = access->size;
    char text[100];

    if (size && (size & (size - 1)) == 0 ? (address & (size - 1)) == 0
                                         : address % size == 0)
        return true;
    snprintf(text, sizeof text,
             "in %u bytes at an address that is no multiple of that",
             (unsigned)access->size);
    report_one(s, e, access->flags, me, text);
    return false;
}

static bool access_global(struct polygpu_shadow *s, uintptr_t address,
                          uint32_t param, uint32_t bytes,
                          const struct polygpu_access *access,
                          const struct stamp *me)
{
    uint32_t array = s->kernel->params[param].value;
    const struct copy *copy = &s->copies[array];
    int64_t elem = s->scop->arrays[array].elem_size;
    uintptr_t element0 = *(uintptr_t *)s->args[param];
    int64_t offset = (int64_t)(address - element0);
    int64_t number = copy->shift >= 0 ? offset >> copy->shift
                                      : offset / elem - (offset % elem < 0);
    int64_t n = copy->shift >= 0 ? bytes >> copy->shift : bytes / elem;
    int64_t end = number + n, i;
    struct element e = {"", s->scop->arrays[array].name, number, 1};

    if (number * elem != offset || n * elem != bytes) {
        report_one(s, &e, access->flags, me, "not as whole elements");
        return false;
    }
    if (!check_aligned(s, address, access, &e, me))
        return false;
    for (i = number; i < end; ++i) {
        size_t at = (size_t)(i - copy->first);

        e.at = i;
        if (!copy->bits || i < copy->first ||
            i - copy->first >= (int64_t)copy->n) {
            char text[160];

            snprintf(text, sizeof text,
                     "outside of its device copy, elements %lld .. %lld",
                     (long long)copy->first,
                     (long long)(copy->first + (int64_t)copy->n - 1));
            report_one(s, &e, access->flags, me,
                       copy->bits ? text : "of which the device has no copy");
            return false;
        }
        if (!(copy->bits[at] & ANNOUNCED)) {
            report_one(s, &e, access->flags, me,
                       "an element between those that the host announced");
            return false;
        }
        if (!access_cell(s, &copy->cells[at], &copy->bits[at], s->launch, &e,
                         access->flags, me,
                         "though nothing was copied or written there"))
            return false;
    }
    return true;
}

/* The cell of the byte "at" of shared memory, or, if "end" is not before the
 * end of its word, of a word; and the "n" bytes whose cell it is. */
static struct cell *shared_cell(struct polygpu_shadow *s, size_t at, size_t end,
                                size_t *n)
{
    size_t begin = at / WORD * WORD, i;
    struct cell *word = &s->words[at / WORD];
    bool whole = at == begin && end - at >= WORD;

    if (word->serial != s->shared_serial) {
        word->serial = s->shared_serial;
        word->valid = 0;
        memset(s->shared_bits + begin, 0, WORD);
    }
    *n = WORD;
    if (whole && !(word->valid & PARTED))
        return word;
    *n = 1;
    if (!(word->valid & PARTED)) {
        for (i = 0; i < WORD; ++i)
            s->shared[begin + i] = *word;
        word->valid |= PARTED;
    }
    return &s->shared[at];
}

static bool access_shared(struct polygpu_shadow *s, uintptr_t address,
                          uint32_t bytes, const struct polygpu_access *access,
                          const struct stamp *me)
{
    uintptr_t start = (uintptr_t)s->block.shared + access->offset;
    int64_t offset = (int64_t)(address - start);
    size_t at, end, n;
    struct element e = {"shared ", access->name, offset, access->elem_size};

    if (offset < 0 || offset + bytes > access->bytes ||
        access->offset + access->bytes > s->kernel->shared_bytes) {
        char text[100];

        snprintf(text, sizeof text, "outside of its %u elements",
                 (unsigned)(access->bytes / access->elem_size));
        report_one(s, &e, access->flags, me, text);
        return false;
    }
    if (!check_aligned(s, address, access, &e, me))
        return false;
    at = access->offset + (size_t)offset;
    for (end = at + bytes; at < end; at += n) {
        struct cell *cell = shared_cell(s, at, end, &n);
        uint8_t *bits = &s->shared_bits[at];

        e.at = (int64_t)(at - access->offset);
        if (*bits & IN_FLIGHT) {
            report_in_flight(s, &e, access->flags, me,
                             &cell->stamps[LAST][WRITE]);
            return false;
        }
        if (!access_cell(s, cell, bits, s->shared_serial, &e, access->flags, me,
                         "though no thread of the block wrote it"))
            return false;
        if (n == WORD)
            memset(bits, *bits, WORD);
    }
    return true;
}

/* "bytes" of what "access" describes. */
static bool access_bytes(struct polygpu_shadow *s, uintptr_t address,
                         uint32_t bytes, const struct polygpu_access *access,
                         const struct stamp *me)
{
    const struct element e = {"", "an unknown array", 0, 1};
    uint32_t param;

    if (s->failed)
        return false;
    if (access->flags & POLYGPU_ACCESS_SHARED)
        return access_shared(s, address, bytes, access, me);
    param = find_array(s, address, access);
    if (param != UINT32_MAX)
        return access_global(s, address, param, bytes, access, me);
    report_one(s, &e, access->flags, me,
               "by an address that is no parameter's");
    return false;
}

static struct stamp stamp_of(const struct polygpu_shadow *s,
                             const struct polygpu_thread *self, uint32_t line)
{
    const uint32_t *t = self->thread, *b = self->block;

    return (struct stamp){
        .block = (b[2] * self->n_block[1] + b[1]) * self->n_block[0] + b[0],
        .epoch = s->epoch,
        .line = line,
        .thread =
            (uint16_t)((t[2] * self->n_thread[1] + t[1]) * self->n_thread[0] +
                       t[0]),
    };
}

void *polygpu_shadow_access(struct polygpu_shadow *s,
                            const struct polygpu_thread *self, void *address,
                            const struct polygpu_access *access)
{
    const struct stamp me = stamp_of(s, self, access->line);

    if (s->counter.stats)
        polygpu_counter_access(&s->counter, me.thread, (uintptr_t)address,
                               access->size, access);
    return access_bytes(s, (uintptr_t)address, access->size, access, &me)
               ? address
               : s->harmless;
}

/* ---- Asynchronous copies ------------------------------------------------ */

static bool access_both(struct polygpu_shadow *s,
                        const struct polygpu_thread *self,
                        const struct polygpu_async_copy *copy)
{
    const struct stamp reader = stamp_of(s, self, copy->load->line);
    const struct stamp writer = stamp_of(s, self, copy->store->line);

    return (!copy->valid || access_bytes(s, (uintptr_t)copy->from, copy->valid,
                                         copy->load, &reader)) &&
           access_bytes(s, (uintptr_t)copy->to, copy->size, copy->store,
                        &writer);
}

/* Does a GPU have such copies, and are the accesses those of this one? */
static bool check_copy(struct polygpu_shadow *s, const struct stamp *me,
                       const struct polygpu_async_copy *copy)
{
    uint32_t size = copy->size;
    char text[240];

    if ((size == 4 || size == 8 || size == 16) && copy->valid <= size &&
        copy->load->size == size && copy->store->size == size &&
        copy->load->flags == 0 &&
        copy->store->flags == (POLYGPU_ACCESS_WRITE | POLYGPU_ACCESS_SHARED))
        return true;
    snprintf(text, sizeof text,
             "%s asks for an asynchronous copy of %u bytes, %u of them valid, "
             "which is none of a GPU's or not as described",
             place(s, me).text, (unsigned)size, (unsigned)copy->valid);
    error(s, text);
    return false;
}

/* Has nobody written what the copy reads since it was asked for? */
static bool check_source(struct polygpu_shadow *s, const struct stamp *me,
                         const struct polygpu_async_copy *copy)
{
    uint32_t param = find_array(s, (uintptr_t)copy->from, copy->load);
    uint32_t array = s->kernel->params[param].value, i;
    uint32_t elem = s->scop->arrays[array].elem_size;
    const struct copy *from = &s->copies[array];
    size_t first = ((uintptr_t)copy->from - from->address) / elem;

    for (i = 0; i < copy->valid / elem; ++i) {
        const struct cell *cell = &from->cells[first + i];
        const struct element e = {"", s->scop->arrays[array].name,
                                  from->first + (int64_t)(first + i), 1};
        uint8_t bits = from->bits[first + i];
        bool atomic = bits & LAST_ATOMIC;

        if (!(bits & WRITTEN) || cell->written <= copy->begun)
            continue;
        report_in_flight(s, &e,
                         atomic ? POLYGPU_ACCESS_ATOMIC : POLYGPU_ACCESS_WRITE,
                         &cell->stamps[LAST][atomic ? ATOMIC : WRITE], me);
        return false;
    }
    return true;
}

/* What is known of the bytes that a copy goes to, which is known to be right.
 */
static uint8_t *target(const struct polygpu_shadow *s,
                       const struct polygpu_async_copy *copy)
{
    return s->shared_bits + ((char *)copy->to - (char *)s->block.shared);
}

bool polygpu_shadow_copy(struct polygpu_shadow *s,
                         const struct polygpu_thread *self,
                         struct polygpu_async_copy *copy)
{
    const struct stamp me = stamp_of(s, self, copy->load->line);
    uint32_t i;

    if (!check_copy(s, &me, copy))
        return false;
    if (s->counter.stats && copy->valid)
        polygpu_counter_access(&s->counter, me.thread, (uintptr_t)copy->from,
                               copy->valid, copy->load);
    if (s->counter.stats)
        polygpu_counter_access(&s->counter, me.thread, (uintptr_t)copy->to,
                               copy->size, copy->store);
    if (!access_both(s, self, copy))
        return false;
    for (i = 0; i < copy->size; ++i)
        target(s, copy)[i] |= IN_FLIGHT;
    copy->begun = s->n_writes;
    return true;
}

bool polygpu_shadow_copied(struct polygpu_shadow *s,
                           const struct polygpu_thread *self,
                           const struct polygpu_async_copy *copy)
{
    const struct stamp me = stamp_of(s, self, copy->load->line);
    uint32_t i;

    for (i = 0; i < copy->size; ++i)
        target(s, copy)[i] &= (uint8_t)~IN_FLIGHT;
    return (!copy->valid || check_source(s, &me, copy)) &&
           access_both(s, self, copy);
}

/* ---- Results ------------------------------------------------------------ */

static bool check_result(struct polygpu_shadow *s, uint32_t array, size_t i)
{
    const struct copy *copy = &s->copies[array];
    const struct cell *cell = &copy->cells[i];
    uint8_t bits = copy->bits[i];
    const struct polygpu_array *about = &s->scop->arrays[array];
    long long number = (long long)copy->first + (long long)i;

    if ((bits & MAY_OUT) && !(bits & HAS_VALUE))
        return polygpu_fail(s->status, POLYGPU_CAUSE_SYNCHRONIZE,
                            "checked run: %s[%lld] is to be copied out, "
                            "though nothing was copied or written there",
                            about->name, number);
    if ((about->flags & POLYGPU_OUT) && (bits & WRITTEN) && !(bits & MAY_OUT))
        return polygpu_fail(s->status, POLYGPU_CAUSE_SYNCHRONIZE,
                            "checked run: %s[%lld] was written by kernel %s, "
                            "and is not to be copied out",
                            about->name, number,
                            s->scop->kernels[cell->kernel].name);
    if ((bits & WRITTEN) && !(bits & MAY_WRITE))
        return polygpu_fail(s->status, POLYGPU_CAUSE_SYNCHRONIZE,
                            "checked run: %s[%lld] was written by kernel %s, "
                            "and was only said to be copied in",
                            about->name, number,
                            s->scop->kernels[cell->kernel].name);
    return true;
}

bool polygpu_shadow_results(struct polygpu_shadow *s,
                            struct polygpu_status *status)
{
    uint32_t a;
    size_t i;

    s->status = status;
    for (a = 0; a < s->scop->n_arrays; ++a)
        for (i = 0; i < s->copies[a].n; ++i)
            if (!check_result(s, a, i))
                return false;
    return true;
}
