/* deferred.c - see deferred.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/deferred.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 64,     /* of records, which may hold vectors */
    MOST_AREAS = 32 /* more are taken for all memory */
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

struct list {
    size_t n, n_areas, used, capacity;
    double cpu_ms;
    bool any_memory; /* areas are not all */
    char *records;
    struct area areas[MOST_AREAS];
    struct entry entries[POLYGPU_MOST_DEFERRED];
};

static _Thread_local struct list *list
    __attribute__((tls_model("initial-exec")));

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

        if (array->accessed && !polygpu_run_is_value(run, a))
            add_area(l, array->base + (uintptr_t)array->first * elem_size,
                     array->base + ((uintptr_t)array->last + 1) * elem_size);
    }
}

bool polygpu_deferred_add(const struct polygpu_run *run)
{
    size_t size = rounded(run->record_size);

    if (!list)
        list = calloc(1, sizeof *list);
    if (!list || list->n == POLYGPU_MOST_DEFERRED || !provide(list, size))
        return false;
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
    list->cpu_ms += run->cpu_ms;
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
    free(list->records);
    free(list);
    list = NULL;
}

void polygpu_deferred_replay(void)
{
    size_t i;

    for (i = 0; list && i < list->n; ++i) {
        const struct entry *entry = &list->entries[i];
        struct polygpu_outside saved = polygpu_enter();

        polygpu_use_floats(entry->outside);
        entry->replay(list->records ? list->records + entry->record : NULL);
        polygpu_leave(saved);
    }
    polygpu_deferred_clear();
}
