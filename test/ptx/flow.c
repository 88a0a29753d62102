/* flow.c - where threads that took different ways meet again: immediate
 * post-dominators.
 *
 * A simple, fast dominance algorithm (Cooper, Harvey, Kennedy), on the reversed
 * graph of basic blocks with one exit.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "ptx.h"

#include <stdlib.h>

enum { NONE = 0xffffffff };

/* Basic blocks; number n, one more than there are, is the exit. */
struct graph {
    uint32_t n;
    uint32_t *first;     /* instruction of block; first[n]: all of them */
    uint32_t *block;     /* of an instruction */
    uint32_t (*next)[2]; /* successors, NONE if there is none */
    uint32_t *order;     /* number in a depth-first order from the exit */
    uint32_t *by_order;
    uint32_t *join;          /* immediate post-dominator */
    uint32_t *heads, *links; /* lists of predecessors: edge 2*b+k */
    uint32_t *stack;
};

static void graph_free(struct graph *g)
{
    free(g->first);
    free(g->block);
    free(g->next);
    free(g->order);
    free(g->by_order);
    free(g->join);
    free(g->heads);
    free(g->links);
    free(g->stack);
}

static bool ends(const struct ptx_insn *i)
{
    return i->kind == PTX_BRANCH || i->kind == PTX_RETURN;
}

/* Mark first instructions in g->block, then number the blocks. */
static void split(const struct ptx_function *f, struct graph *g)
{
    uint32_t k, n = 0;

    for (k = 0; k < f->n_insns; ++k) {
        const struct ptx_insn *i = &f->insns[k];

        if (i->kind == PTX_BRANCH && i->target < f->n_insns)
            g->block[i->target] = 1;
        if (ends(i) && k + 1 < f->n_insns)
            g->block[k + 1] = 1;
    }
    for (k = 0; k < f->n_insns; ++k) {
        if (k == 0 || g->block[k])
            g->first[n++] = k;
        g->block[k] = n - 1;
    }
    g->n = n;
    g->first[n] = f->n_insns;
}

static void connect(struct graph *g, uint32_t from, unsigned k, uint32_t to)
{
    g->next[from][k] = to;
    g->links[2 * from + k] = g->heads[to];
    g->heads[to] = 2 * from + k;
}

static void find_successors(const struct ptx_function *f, struct graph *g)
{
    uint32_t b;

    for (b = 0; b <= g->n; ++b)
        g->heads[b] = NONE;
    for (b = 0; b < g->n; ++b) {
        uint32_t last = g->first[b + 1] - 1;
        const struct ptx_insn *i = &f->insns[last];

        g->next[b][0] = g->next[b][1] = NONE;
        if (i->kind == PTX_RETURN)
            connect(g, b, 0, g->n);
        else if (i->kind == PTX_BRANCH)
            connect(g, b, 0,
                    i->target < f->n_insns ? g->block[i->target] : g->n);
        if (!ends(i) || i->guarded)
            connect(g, b, 1, b + 1);
    }
}

/* Postorder of the reversed graph, so that the exit has the largest number. */
static uint32_t number_blocks(struct graph *g)
{
    uint32_t depth = 0, n = 0, b;
    uint32_t *edge = g->join; /* not used yet: the next edge to follow */

    for (b = 0; b <= g->n; ++b) {
        g->order[b] = NONE;
        edge[b] = g->heads[b];
    }
    g->stack[depth++] = g->n;
    g->order[g->n] = NONE - 1; /* seen */
    while (depth) {
        b = g->stack[depth - 1];
        if (edge[b] == NONE) {
            --depth;
            g->order[b] = n;
            g->by_order[n++] = b;
            continue;
        }
        uint32_t from = edge[b] / 2;
        edge[b] = g->links[edge[b]];
        if (g->order[from] == NONE) {
            g->order[from] = NONE - 1;
            g->stack[depth++] = from;
        }
    }
    return n;
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->order[a] < g->order[b])
            a = g->join[a];
        while (g->order[b] < g->order[a])
            b = g->join[b];
    }
    return a;
}

static void find_joins(struct graph *g)
{
    uint32_t n = number_blocks(g), k, b;
    bool changed = true;

    for (b = 0; b < g->n; ++b)
        g->join[b] = NONE;
    g->join[g->n] = g->n;
    while (changed) {
        changed = false;
        for (k = n - 1; k-- > 0;) {
            uint32_t found = NONE;
            unsigned e;

            b = g->by_order[k];
            for (e = 0; e < 2; ++e) {
                uint32_t to = g->next[b][e];

                if (to == NONE || g->join[to] == NONE)
                    continue;
                found = found == NONE ? to : meet(g, found, to);
            }
            changed |= g->join[b] != found;
            g->join[b] = found;
        }
    }
}

bool ptx_joins(struct ptx_function *f)
{
    size_t n = f->n_insns + 2;
    struct graph g = {.first = calloc(n, sizeof *g.first),
                      .block = calloc(n, sizeof *g.block),
                      .next = calloc(n, sizeof *g.next),
                      .order = calloc(n, sizeof *g.order),
                      .by_order = calloc(n, sizeof *g.by_order),
                      .join = calloc(n, sizeof *g.join),
                      .heads = calloc(n, sizeof *g.heads),
                      .links = calloc(2 * n, sizeof *g.links),
                      .stack = calloc(n, sizeof *g.stack)};
    bool ok = g.first && g.block && g.next && g.order && g.by_order && g.join &&
              g.heads && g.links && g.stack;
    uint32_t k;

    if (ok && f->n_insns) {
        split(f, &g);
        find_successors(f, &g);
        find_joins(&g);
        for (k = 0; k < f->n_insns; ++k) {
            uint32_t join = g.join[g.block[k]];

            f->insns[k].join =
                join == NONE || join == g.n ? f->n_insns : g.first[join];
        }
    }
    graph_free(&g);
    return ok;
}
