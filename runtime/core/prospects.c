/* prospects.c - see prospects.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/prospects.h"

#include <stddef.h>
#include <string.h>

enum {
    MOST = 32,
    MOST_TOUCHES = 4096 /* since anybody asked: then nobody will */
};

static struct polygpu_prospect prospects[MOST];
static unsigned n_prospects;
static uint64_t ages;
static unsigned touches;

bool polygpu_prospects_any(void)
{
    return __atomic_load_n(&n_prospects, __ATOMIC_RELAXED) > 0;
}

static void count(int change)
{
    __atomic_store_n(&n_prospects, n_prospects + (unsigned)change,
                     __ATOMIC_RELAXED);
}

static void drop(struct polygpu_prospect *p)
{
    if (!p->age)
        return;
    *p = (struct polygpu_prospect){0};
    count(-1);
}

/* The one that there is, an empty place, or the oldest one. */
static struct polygpu_prospect *place_for(const struct polygpu_prospect *new)
{
    struct polygpu_prospect *p, *place = prospects;

    for (p = prospects; p < prospects + MOST; ++p) {
        if (p->age && p->state == new->state && p->array == new->array)
            return p;
        if (p->age < place->age)
            place = p;
    }
    return place;
}

void polygpu_prospects_add(const struct polygpu_prospect *prospect)
{
    struct polygpu_prospect *p = place_for(prospect);

    drop(p);
    *p = *prospect;
    p->read = p->written = 0;
    p->waiting = true;
    p->age = ++ages;
    touches = 0;
    count(1);
}

void polygpu_prospects_ready(const void *state)
{
    struct polygpu_prospect *p;

    for (p = prospects; p < prospects + MOST; ++p)
        if (p->state == state)
            p->waiting = false;
}

const struct polygpu_prospect *
polygpu_prospects_find(uint64_t scope, uintptr_t first, uintptr_t end)
{
    const struct polygpu_prospect *p, *found = NULL;

    for (p = prospects; p < prospects + MOST; ++p)
        if (p->age && !p->waiting && p->scope == scope && p->first <= first &&
            end <= p->end && (!found || p->age > found->age))
            found = p;
    return found;
}

void polygpu_prospects_touch(uintptr_t first, uintptr_t end, bool write)
{
    struct polygpu_prospect *p;

    if (++touches > MOST_TOUCHES)
        polygpu_prospects_forget();
    for (p = prospects; p < prospects + MOST; ++p) {
        uintptr_t from = first > p->first ? first : p->first;
        uintptr_t to = end < p->end ? end : p->end;

        if (!p->age || p->waiting || from >= to)
            continue;
        p->read += to - from;
        p->written += write ? to - from : 0;
    }
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static bool is_among(const struct polygpu_company *company, const void *state)
{
    unsigned i = 0;

    while (i < company->n && company->states[i] != state)
        ++i;
    return i < company->n;
}

/* False: there are too many. */
static bool join(struct polygpu_company *company,
                 const struct polygpu_prospect *p)
{
    if (is_among(company, p->state))
        return true;
    if (company->n == POLYGPU_MOST_COMPANY)
        return false;
    company->states[company->n++] = p->state;
    company->ms.cpu += p->ms.cpu;
    company->ms.staying += p->ms.staying;
    company->ms.price += p->ms.price;
    return true;
}

void polygpu_prospects_meet(struct polygpu_company *company, const void *state,
                            uint64_t scope, uintptr_t first, uintptr_t end,
                            bool writes)
{
    const struct polygpu_prospect *p;

    for (p = prospects; n_prospects > 0 && p < prospects + MOST; ++p) {
        uintptr_t from = first > p->first ? first : p->first;
        uintptr_t to = end < p->end ? end : p->end;

        if (!p->age || p->waiting || p->state == state || p->scope != scope ||
            from >= to || !join(company, p))
            continue;
        company->shared_in += smaller(p->in, (double)(to - from));
        company->shared_out +=
            writes ? smaller(p->out, (double)(to - from)) : 0;
    }
}

void polygpu_prospects_watch(struct polygpu_company *company)
{
    const struct polygpu_prospect *p;

    for (p = prospects; company->n > 0 && p < prospects + MOST; ++p) {
        double all = (double)(p->end - p->first);

        if (!p->age || !is_among(company, p->state))
            continue;
        company->usual_in += p->in * smaller((double)p->written / all, 1);
        company->usual_out += p->out * smaller((double)p->read / all, 1);
    }
}

void polygpu_prospects_drop(const void *state)
{
    struct polygpu_prospect *p;

    for (p = prospects; p < prospects + MOST; ++p)
        if (p->state == state)
            drop(p);
}

void polygpu_prospects_end(uint64_t scope)
{
    struct polygpu_prospect *p;

    for (p = prospects; p < prospects + MOST; ++p)
        if (p->scope == scope)
            drop(p);
}

void polygpu_prospects_forget(void)
{
    memset(prospects, 0, sizeof prospects);
    count(-(int)n_prospects);
    touches = 0;
}
