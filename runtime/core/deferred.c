/* deferred.c - see deferred.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/deferred.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 64,      /* of records, which may hold vectors */
    MOST_AREAS = 32, /* more are taken for all memory */
    MOST_CHANGES = 256,
    MOST_RECENT = 16,        /* since a run: then all is brought at once */
    MOST_CHANGED = 16 << 20, /* bytes */
    MOST_KEPT = 64 << 10     /* bytes of records in a list that is kept */
};

struct entry {
    void (*replay)(void *record);
    size_t record; /* where, in the list's */
    struct polygpu_outside outside;
    struct polygpu_scop *scop;
    struct polygpu_state *state;
};

/* What runs read or write, from the first byte to the last. */
struct area {
    uintptr_t first, end;
};

/* Bytes of the host that changed between two runs of the list. */
struct change {
    size_t entry;    /* before that one */
    uintptr_t first; /* where, */
    size_t size;
    char *before; /* and what was there; unless NULL also */
    char *after;  /* what the program wrote, */
    bool known;   /* when it has */
};

struct list {
    size_t n, n_areas, used, capacity;
    size_t n_changes, changed; /* bytes */
    struct change changes[MOST_CHANGES];
    double cpu_ms;
    bool any_memory; /* areas are not all */
    bool any_array;  /* nor are ranges */
    char *records;
    struct area areas[MOST_AREAS];
    struct entry entries[POLYGPU_MOST_DEFERRED];
};

static _Thread_local struct list *list
    __attribute__((tls_model("initial-exec")));
static struct list *spare; /* an empty one, for the next thread */

const void *polygpu_deferred_owner(void)
{
    return &list;
}

bool polygpu_deferred_any(void)
{
    return list && list->n > 0;
}

static size_t rounded(size_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static void free_list(struct list *l)
{
    if (l)
        free(l->records);
    free(l);
}

static struct list *new_list(void)
{
    struct list *l = __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQ_REL);

    return l ? l : calloc(1, sizeof *l);
}

/* What has been in the list is freed, but for a few records' memory. */
static void empty(struct list *l)
{
    size_t i;

    for (i = 0; i < l->n_changes; ++i) {
        free(l->changes[i].before);
        free(l->changes[i].after);
    }
    if (l->capacity > MOST_KEPT) {
        free(l->records);
        l->records = NULL;
        l->capacity = 0;
    }
    l->n = l->n_areas = l->used = l->n_changes = l->changed = 0;
    l->cpu_ms = 0;
    l->any_memory = l->any_array = false;
}

/* Room for "size" more bytes of records. */
static bool provide(struct list *l, size_t size)
{
    size_t capacity = l->capacity ? l->capacity : 4096;
    char *records;

    if (l->capacity - l->used >= size)
        return true;
    while (capacity - l->used < size)
        capacity *= 2;
    records = aligned_alloc(ALIGN, capacity);
    if (!records)
        return false;
    if (l->used)
        memcpy(records, l->records, l->used);
    free(l->records);
    l->records = records;
    l->capacity = capacity;
    return true;
}

static void add_area(struct list *l, uintptr_t first, uintptr_t end)
{
    size_t i;

    for (i = 0; i < l->n_areas; ++i) {
        struct area *known = &l->areas[i];

        if (first > known->end || end < known->first)
            continue;
        known->first = first < known->first ? first : known->first;
        known->end = end > known->end ? end : known->end;
        return;
    }
    if (l->n_areas == MOST_AREAS)
        l->any_memory = true;
    else
        l->areas[l->n_areas++] = (struct area){first, end};
}

static void add_areas(struct list *l, const struct polygpu_run *run)
{
    uint32_t a;

    l->any_memory |= (run->replay_flags & POLYGPU_REPLAY_MORE) != 0;
    for (a = 0; a < run->n_arrays; ++a) {
        const struct polygpu_run_array *array = &run->arrays[a];
        size_t elem_size = run->scop->arrays[a].elem_size;

        if (!array->moves.accessed || polygpu_run_is_value(run, a))
            continue;
        l->any_array |= !array->range;
        add_area(l, array->base + (uintptr_t)array->moves.first * elem_size,
                 array->base + ((uintptr_t)array->moves.last + 1) * elem_size);
    }
}

/* What the program wrote since the last run is what the host has. */
static void settle_changes(struct list *l)
{
    size_t i;

    for (i = 0; i < l->n_changes; ++i) {
        struct change *c = &l->changes[i];

        if (c->after && !c->known)
            memcpy(c->after, (const void *)c->first, c->size);
        c->known = true;
    }
}

/* How many since the last run? */
static size_t recent_changes(const struct list *l)
{
    size_t i = l->n_changes;

    while (i > 0 && l->changes[i - 1].entry == l->n)
        --i;
    return l->n_changes - i;
}

bool polygpu_deferred_parts(uint64_t bytes)
{
    return list && list->n > 0 && !list->any_memory && !list->any_array &&
           recent_changes(list) < MOST_RECENT &&
           list->changed + 2 * bytes <= MOST_CHANGED;
}

bool polygpu_deferred_note(const struct polygpu_interval *bytes, bool write)
{
    struct change c = {.entry = list->n,
                       .first = bytes->first,
                       .size = bytes->end - bytes->first};

    if (list->n_changes == MOST_CHANGES)
        return false;
    c.before = malloc(c.size);
    c.after = write ? malloc(c.size) : NULL;
    if (!c.before || (write && !c.after)) {
        free(c.before);
        free(c.after);
        return false;
    }
    memcpy(c.before, (const void *)c.first, c.size);
    list->changes[list->n_changes++] = c;
    list->changed += write ? 2 * c.size : c.size;
    return true;
}

bool polygpu_deferred_add(const struct polygpu_run *run)
{
    size_t size = rounded(run->record_size);

    if (!list)
        list = new_list();
    if (!list || list->n == POLYGPU_MOST_DEFERRED || !provide(list, size))
        return false;
    settle_changes(list);
    if (run->record_size)
        memcpy(list->records + list->used, run->record, run->record_size);
    list->entries[list->n++] = (struct entry){
        .replay = run->replay,
        .record = list->used,
        .outside = run->outside,
        .scop = run->scop,
        .state = run->state,
    };
    list->used += size;
    list->cpu_ms += (run->estimate.known ? run->estimate.cpu_ms : 0);
    add_areas(list, run);
    return true;
}

bool polygpu_deferred_full(void)
{
    return list && (list->n == POLYGPU_MOST_DEFERRED ||
                    list->used >= POLYGPU_MOST_DEFERRED_BYTES ||
                    list->cpu_ms >= POLYGPU_MOST_DEFERRED_MS);
}

bool polygpu_deferred_uses(uintptr_t first, uintptr_t end)
{
    size_t i = 0;

    if (!list || list->n == 0 || list->any_memory)
        return list && list->n > 0;
    while (i < list->n_areas &&
           (first >= list->areas[i].end || end <= list->areas[i].first))
        ++i;
    return i < list->n_areas;
}

struct polygpu_scop *polygpu_deferred_scop(struct polygpu_state **state)
{
    *state = list->entries[list->n - 1].state;
    return list->entries[list->n - 1].scop;
}

void polygpu_deferred_clear(void)
{
    if (!list)
        return;
    empty(list);
    free_list(__atomic_exchange_n(&spare, list, __ATOMIC_ACQ_REL));
    list = NULL;
}

void polygpu_deferred_end(void)
{
    free_list(__atomic_exchange_n(&spare, NULL, __ATOMIC_ACQ_REL));
}

static void put_back(const struct change *c, const char *bytes)
{
    memcpy((void *)c->first, bytes, c->size);
}

/* What the program wrote before entry "entry". */
static void apply(const struct list *l, size_t entry)
{
    size_t i;

    for (i = 0; i < l->n_changes; ++i)
        if (l->changes[i].entry == entry && l->changes[i].after)
            put_back(&l->changes[i], l->changes[i].after);
}

/* The host's memory is what the first run of the list found. */
static void go_back(struct list *l)
{
    size_t i;

    for (i = l->n_changes; i-- > 0;)
        put_back(&l->changes[i], l->changes[i].before);
}

void polygpu_deferred_replay(void)
{
    size_t i;

    if (list) {
        settle_changes(list);
        go_back(list);
    }
    for (i = 0; list && i < list->n; ++i) {
        const struct entry *entry = &list->entries[i];
        struct polygpu_outside saved = polygpu_enter();

        apply(list, i);
        polygpu_use_floats(entry->outside);
        entry->replay(list->records ? list->records + entry->record : NULL);
        polygpu_leave(saved);
    }
    if (list)
        apply(list, list->n);
    polygpu_deferred_clear();
}
