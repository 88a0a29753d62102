/* accesses.c - see accesses.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "emulated/accesses.h"

#include <stdlib.h>
#include <string.h>

enum {
    WARP = 32,
    SECTOR_SHIFT = 5, /* sectors of 32 bytes */
    WORD_SHIFT = 2,   /* words of 4 bytes, one in each bank */
    N_BANKS = 32,
    FIRST_SITES = 16,
    FIRST_REQUESTS = 256,
    LIMIT = 64 * 1024 * 1024 /* bytes for requests */
};

struct polygpu_site {
    const struct polygpu_access *access; /* only compared */
    uint32_t flags, size;
};

/* The n-th execution of a site by a warp of the block between barriers. */
struct key {
    uint64_t n;
    uint32_t site, warp;
};

struct polygpu_request {
    struct key key;
    uint32_t lanes; /* bit l: lane l has come; 0: not in use */
    uint32_t next;  /* in the list, number + 1 or 0 */
    uintptr_t address[WARP];
};

/* ---- Requests ----------------------------------------------------------- */

/* Did a lane from "first" on and before "lane" access unit number "unit"?  A
 * unit is 1 << "shift" bytes. */
static bool is_known(const struct polygpu_request *r, uint32_t size,
                     unsigned first, unsigned lane, uintptr_t unit, int shift)
{
    while (lane-- > first)
        if ((r->lanes >> lane & 1) && unit >= r->address[lane] >> shift &&
            unit <= (r->address[lane] + size - 1) >> shift)
            return true;
    return false;
}

static uint32_t count_sectors(const struct polygpu_request *r, uint32_t size)
{
    uint32_t n = 0;
    unsigned lane;

    for (lane = 0; lane < WARP; ++lane) {
        uintptr_t sector = r->address[lane] >> SECTOR_SHIFT;
        uintptr_t last = (r->address[lane] + size - 1) >> SECTOR_SHIFT;

        if (r->lanes >> lane & 1)
            for (; sector <= last; ++sector)
                n += !is_known(r, size, 0, lane, sector, SECTOR_SHIFT);
    }
    return n;
}

/* The largest number of words that lanes begin .. end - 1 access in a bank. */
static uint32_t count_passes(const struct polygpu_request *r, uint32_t size,
                             unsigned begin, unsigned end)
{
    uint32_t words[N_BANKS] = {0}, most = 0;
    unsigned lane;

    for (lane = begin; lane < end; ++lane) {
        uintptr_t word = r->address[lane] >> WORD_SHIFT;
        uintptr_t last = (r->address[lane] + size - 1) >> WORD_SHIFT;

        if (!(r->lanes >> lane & 1))
            continue;
        for (; word <= last; ++word)
            if (!is_known(r, size, begin, lane, word, WORD_SHIFT) &&
                ++words[word % N_BANKS] > most)
                most = words[word % N_BANKS];
    }
    return most;
}

/* Passes beyond those that a request has at best: one for each group of lanes
 * that access 128 bytes together, where no two words are in one bank.  Beyond
 * 16 bytes, which no single access of a GPU has, it is one for each 16. */
static uint32_t count_conflicts(const struct polygpu_request *r, uint32_t size)
{
    unsigned group = size <= 4 ? 32 : size <= 8 ? 16 : 8, first;
    uint32_t least = (size + 15) / 16, n = 0;

    for (first = 0; first < WARP; first += group) {
        uint32_t passes = count_passes(r, size, first, first + group);

        n += passes > least ? passes - least : 0;
    }
    return n;
}

static void count_request(struct polygpu_counter *c,
                          const struct polygpu_request *r)
{
    const struct polygpu_site *site = &c->sites[r->key.site];
    uint32_t sectors;

    if (!site->size)
        return;
    if (site->flags & POLYGPU_ACCESS_SHARED) {
        c->stats->conflicts += count_conflicts(r, site->size);
        return;
    }
    sectors = count_sectors(r, site->size);
    if (polygpu_access_reads(site->flags))
        c->stats->global_load_sectors += sectors;
    if (polygpu_access_writes(site->flags))
        c->stats->global_store_sectors += sectors;
}

/* Requests of one warp and site are neighbours in the table, as they are in
 * memory. */
static uint32_t *head_of(const struct polygpu_counter *c, const struct key *key)
{
    uint32_t start = (key->site * WARP + key->warp) * 0x9e3779b1u;

    return &c->heads[(start + (uint32_t)key->n) & (c->max_requests - 1)];
}

/* Count all pending requests with the lanes that they have. */
static void count_pending(struct polygpu_counter *c)
{
    uint32_t i;

    for (i = 0; i < c->n_used && c->n_pending > 0; ++i)
        if (c->requests[i].lanes) {
            count_request(c, &c->requests[i]);
            *head_of(c, &c->requests[i].key) = 0;
            --c->n_pending;
        }
    c->n_used = 0;
    c->free_list = 0;
}

/* Have a free request.  Under the limit that takes memory, else lanes. */
static bool provide_request(struct polygpu_counter *c)
{
    uint32_t max = c->max_requests ? 2 * c->max_requests : FIRST_REQUESTS, i;
    struct polygpu_request *requests;
    uint32_t *heads;

    if (c->free_list || c->n_used < c->max_requests)
        return true;
    if (max > LIMIT / sizeof *requests) {
        count_pending(c);
        return true;
    }
    requests = realloc(c->requests, max * sizeof *requests);
    if (!requests)
        return false;
    c->requests = requests;
    heads = calloc(max, sizeof *heads);
    if (!heads)
        return false;
    free(c->heads);
    c->heads = heads;
    c->max_requests = max;
    for (i = 0; i < c->n_used; ++i) {
        uint32_t *head = head_of(c, &requests[i].key);

        requests[i].next = *head;
        *head = i + 1;
    }
    return true;
}

/* The request of "key"; a new one has no lanes.  NULL without memory. */
static struct polygpu_request *find_request(struct polygpu_counter *c,
                                            const struct key *key)
{
    struct polygpu_request *r;
    uint32_t i;

    for (i = c->heads ? *head_of(c, key) : 0; i; i = r->next) {
        r = &c->requests[i - 1];
        if (r->key.n == key->n && r->key.site == key->site &&
            r->key.warp == key->warp)
            return r;
    }
    if (!provide_request(c))
        return NULL;
    if (c->free_list) {
        i = c->free_list;
        c->free_list = c->requests[i - 1].next;
    } else {
        i = ++c->n_used;
    }
    ++c->n_pending;
    r = &c->requests[i - 1];
    r->key = *key;
    r->lanes = 0;
    r->next = *head_of(c, key);
    *head_of(c, key) = i;
    return r;
}

/* Count a request that all its lanes have made, and have its place free. */
static void complete_request(struct polygpu_counter *c,
                             struct polygpu_request *r)
{
    uint32_t i = (uint32_t)(r - c->requests) + 1;
    uint32_t *link = head_of(c, &r->key);

    count_request(c, r);
    while (*link != i)
        link = &c->requests[*link - 1].next;
    *link = r->next;
    r->lanes = 0;
    r->next = c->free_list;
    c->free_list = i;
    --c->n_pending;
}

/* ---- Sites -------------------------------------------------------------- */

static uint32_t *slot_of(uint32_t *slots, uint32_t n_slots,
                         const struct polygpu_site *sites,
                         const struct polygpu_access *access)
{
    uint32_t i = (uint32_t)((uintptr_t)access / sizeof(void *)) * 0x9e3779b1u;

    for (i >>= 7;; ++i) {
        uint32_t *slot = &slots[i & (n_slots - 1)];

        if (!*slot || sites[*slot - 1].access == access)
            return slot;
    }
}

/* Have room for one more site; the hash table is at most half full. */
static bool provide_site(struct polygpu_counter *c)
{
    uint32_t max = c->max_sites ? 2 * c->max_sites : FIRST_SITES, i;
    struct polygpu_site *sites;
    uint64_t *executed;
    uint32_t *slots;

    if (c->n_sites < c->max_sites)
        return true;
    sites = realloc(c->sites, max * sizeof *sites);
    if (!sites)
        return false;
    c->sites = sites;
    executed =
        realloc(c->executed, (size_t)max * c->n_threads * sizeof *executed);
    if (!executed)
        return false;
    c->executed = executed;
    slots = calloc((size_t)2 * max, sizeof *slots);
    if (!slots)
        return false;
    free(c->site_slots);
    c->site_slots = slots;
    c->max_sites = max;
    for (i = 0; i < c->n_sites; ++i)
        *slot_of(slots, 2 * max, sites, sites[i].access) = i + 1;
    return true;
}

/* Set "site" to the number of the access's site; false without memory. */
static bool find_site(struct polygpu_counter *c,
                      const struct polygpu_access *access, uint32_t *site)
{
    const struct polygpu_site new = {access, access->flags, access->size};
    uint32_t *slot;

    if (c->max_sites) {
        slot = slot_of(c->site_slots, 2 * c->max_sites, c->sites, access);
        if (*slot) {
            *site = *slot - 1;
            return true;
        }
    }
    if (!provide_site(c))
        return false;
    *site = c->n_sites++;
    c->sites[*site] = new;
    memset(c->executed + (size_t)*site * c->n_threads, 0,
           c->n_threads * sizeof *c->executed);
    slot = slot_of(c->site_slots, 2 * c->max_sites, c->sites, access);
    *slot = *site + 1;
    return true;
}

static void forget_sites(struct polygpu_counter *c)
{
    free(c->sites);
    free(c->executed);
    free(c->site_slots);
    c->sites = NULL;
    c->executed = NULL;
    c->site_slots = NULL;
    c->n_sites = c->max_sites = 0;
}

/* ---- Launches, blocks and accesses -------------------------------------- */

void polygpu_counter_begin(struct polygpu_counter *c, uint32_t n_threads,
                           struct polygpu_access_stats *stats)
{
    c->stats = stats;
    c->n_threads = n_threads;
    if (stats)
        stats->counted = true;
}

void polygpu_counter_end(struct polygpu_counter *c)
{
    if (c->stats)
        count_pending(c);
    c->stats = NULL;
    forget_sites(c);
}

void polygpu_counter_part(struct polygpu_counter *c)
{
    count_pending(c);
    if (c->n_sites)
        memset(c->executed, 0,
               (size_t)c->n_sites * c->n_threads * sizeof *c->executed);
}

/* Count what is known, and no more. */
static void give_up(struct polygpu_counter *c)
{
    count_pending(c);
    c->stats->incomplete = true;
    c->stats = NULL;
}

static void add_access(struct polygpu_access_stats *s, uint32_t flags,
                       uint32_t size)
{
    bool shared = flags & POLYGPU_ACCESS_SHARED;

    if (polygpu_access_reads(flags)) {
        *(shared ? &s->shared_loads : &s->global_loads) += 1;
        *(shared ? &s->shared_load_bytes : &s->global_load_bytes) += size;
    }
    if (polygpu_access_writes(flags)) {
        *(shared ? &s->shared_stores : &s->global_stores) += 1;
        *(shared ? &s->shared_store_bytes : &s->global_store_bytes) += size;
    }
}

void polygpu_counter_access(struct polygpu_counter *c, uint32_t thread,
                            uintptr_t address, uint32_t bytes,
                            const struct polygpu_access *access)
{
    struct key key = {.warp = thread / WARP};
    struct polygpu_request *r = NULL;
    uint32_t lane = thread % WARP, n_lanes = c->n_threads - key.warp * WARP;
    uint64_t *executed;

    if (find_site(c, access, &key.site)) {
        executed = &c->executed[(size_t)key.site * c->n_threads + thread];
        key.n = *executed;
        if ((r = find_request(c, &key)))
            ++*executed;
    }
    if (!r) {
        give_up(c);
        return;
    }
    add_access(c->stats, access->flags, bytes);
    r->address[lane] = address;
    r->lanes |= 1u << lane;
    if (r->lanes == (n_lanes < WARP ? (1u << n_lanes) - 1 : ~0u))
        complete_request(c, r);
}

void polygpu_counter_free(struct polygpu_counter *c)
{
    forget_sites(c);
    free(c->requests);
    free(c->heads);
}
