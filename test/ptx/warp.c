/* warp.c - threads in lockstep.
 *
 * A warp has a stack of paths.  The uppermost is executed until it is where its
 * threads meet others; then the path below goes on with all of them.
 *
 * With less than 32 threads in lockstep, a warp of the device is several of
 * ours, which have the frame in common.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "list.h"
#include "machine.h"

#include <string.h>

enum { MOST_CALLS = 16, ALIGNMENT = 64 };

/* ---- Frames ------------------------------------------------------------- */

static void broadcast(char *row, unsigned bytes, uint64_t value)
{
    unsigned lane;

    if (!bytes)
        memcpy(row, &value, sizeof(ptx_lanes));
    else if (bytes == 4)
        for (lane = 0; lane < PTX_LANES; ++lane)
            memcpy(row + lane * 4, &value, 4);
    else if (bytes == 8)
        for (lane = 0; lane < PTX_LANES; ++lane)
            memcpy(row + lane * 8, &value, 8);
    else
        for (lane = 0; lane < PTX_LANES; ++lane)
            memcpy(row + lane * bytes, &value, bytes);
}

static uint32_t special(const struct ptx_warp *w, unsigned number,
                        unsigned lane)
{
    const struct ptx_block *b = w->block;
    unsigned thread = w->first + lane, d = number % 3;
    unsigned x = b->threads[0], y = b->threads[1];
    unsigned position[] = {thread % x, thread / x % y, thread / x / y};

    switch (number / 3) {
    case 0:
        return position[d];
    case 1:
        return b->threads[d];
    case 2:
        return b->id[d];
    case 3:
        return b->grid[d];
    default:
        return thread % PTX_LANES;
    }
}

/* Registers begin with garbage. */
static void fill_frame(struct ptx_warp *w, const struct ptx_function *f,
                       char *frame)
{
    size_t k;
    unsigned lane;

    ptx_garbage(w->block->machine, frame, f->frame_size);
    for (k = 0; k < f->n_constants; ++k)
        broadcast(frame + f->constants[k].at, f->constants[k].bytes,
                  f->constants[k].value);
    for (k = 0; k < f->n_specials; ++k)
        for (lane = 0; lane < PTX_LANES; ++lane) {
            uint32_t value = special(w, f->specials[k].number, lane);

            memcpy(frame + f->specials[k].at + lane * 4, &value, 4);
        }
}

static char *new_frame(const struct ptx_function *f)
{
    return aligned_alloc(ALIGNMENT,
                         (f->frame_size / ALIGNMENT + 1) * ALIGNMENT);
}

/* Frame and local memory are the leader's, whose threads come first. */
static bool start_memory(struct ptx_warp *w, const struct ptx_warp *leader)
{
    const struct ptx_function *f = w->block->kernel;

    w->local_bytes = f->module->local_bytes;
    if (leader != w) {
        w->frame = leader->frame;
        w->local = leader->local;
        return true;
    }
    w->leads = true;
    if (!w->frame)
        w->frame = new_frame(f);
    if (!w->local)
        w->local = malloc(w->local_bytes * PTX_LANES + 1);
    if (!w->frame || !w->local)
        return false;
    ptx_garbage(w->block->machine, w->local, w->local_bytes * PTX_LANES);
    fill_frame(w, f, w->frame);
    return true;
}

bool ptx_warp_start(struct ptx_warp *w, struct ptx_block *block,
                    const struct ptx_warp *leader, unsigned first,
                    ptx_lanes members)
{
    w->block = block;
    w->first = first;
    w->members = w->live = members;
    w->state = PTX_READY;
    w->n_copies = 0;
    memset(w->groups, 0, sizeof w->groups);
    w->n_paths = 0;
    if (!start_memory(w, leader) || !GROW(w->paths, w->n_paths))
        return false;
    w->paths[w->n_paths++] = (struct ptx_path){
        .pc = 0, .join = block->kernel->n_insns, .lanes = members};
    return true;
}

void ptx_warp_free(struct ptx_warp *w)
{
    if (w->leads) {
        free(w->frame);
        free(w->local);
    }
    free(w->paths);
    ptx_copies_end(w);
}

/* ---- Control ------------------------------------------------------------ */

static bool push(struct ptx_warp *w, const struct ptx_insn *i, uint32_t pc,
                 uint32_t join, ptx_lanes lanes)
{
    if (pc == join || !lanes) /* they wait in the path below */
        return true;
    if (!GROW(w->paths, w->n_paths)) {
        ptx_fault(w, i, 0, CU_OUT_OF_MEMORY, "no memory");
        return false;
    }
    w->paths[w->n_paths++] =
        (struct ptx_path){.pc = pc, .join = join, .lanes = lanes};
    return true;
}

/* "active" of the path's "lanes" go to the target. */
static void branch(struct ptx_warp *w, const struct ptx_insn *i,
                   ptx_lanes lanes, ptx_lanes active)
{
    struct ptx_path *top = &w->paths[w->n_paths - 1];
    uint32_t next = top->pc + 1;

    if (active == lanes) {
        top->pc = i->target;
    } else if (!active) {
        top->pc = next;
    } else {
        if (i->join == top->join)
            --w->n_paths;
        else
            top->pc = i->join;
        if (push(w, i, next, i->join, lanes & ~active))
            push(w, i, i->target, i->join, active);
    }
}

static unsigned first_of(ptx_lanes lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

static void barrier(struct ptx_warp *w, const struct ptx_insn *i,
                    ptx_lanes active)
{
    ptx_lanes missing = w->members & ~active;

    if (missing & ~w->live)
        ptx_fault(w, i, first_of(missing & ~w->live), CU_LAUNCH_FAILED,
                  "barrier when this thread has ended");
    else if (missing)
        ptx_fault(w, i, first_of(missing), CU_LAUNCH_FAILED,
                  "barrier without this thread of the warp");
    else if (w->depth)
        ptx_fault(w, i, 0, CU_LAUNCH_FAILED, "barrier in a function");
    else
        w->state = PTX_WAITING;
    w->barrier = i;
    ++w->paths[w->n_paths - 1].pc;
}

static void run(struct ptx_warp *w, const struct ptx_function *f,
                uint64_t most);

/* Parameters of "to" get what those of "from" have. */
static void pass(const struct ptx_variable *v, size_t n, char *frame,
                 char *other, const uint32_t *at, bool back)
{
    size_t k, size;

    for (k = 0; k < n; ++k) {
        size = v[k].size * PTX_LANES;
        if (back)
            memcpy(other + at[k], frame + v[k].at, size);
        else
            memcpy(frame + v[k].at, other + at[k], size);
    }
}

/* The callee runs to its end, in a frame and with paths of its own. */
static void call(struct ptx_warp *w, const struct ptx_insn *i, ptx_lanes active)
{
    const struct ptx_function *f = i->call->callee;
    struct ptx_warp caller = *w;
    struct ptx_path *paths = NULL;

    if (!f || w->depth == MOST_CALLS) {
        ptx_fault(w, i, first_of(active), CU_LAUNCH_FAILED,
                  f ? "too many calls inside each other" : "unknown function");
        return;
    }
    w->frame = new_frame(f);
    if (!w->frame || !GROW(paths, 0)) {
        free(w->frame);
        w->frame = caller.frame;
        ptx_fault(w, i, first_of(active), CU_OUT_OF_MEMORY, "no memory");
        return;
    }
    fill_frame(w, f, w->frame);
    pass(f->variables + f->n_results, f->n_params, w->frame, caller.frame,
         i->call->arguments, false);
    w->paths = paths;
    w->paths[0] =
        (struct ptx_path){.pc = 0, .join = f->n_insns, .lanes = active};
    w->n_paths = 1;
    w->live = active;
    ++w->depth;
    run(w, f, UINT64_MAX);
    pass(f->variables, f->n_results, w->frame, caller.frame, i->call->results,
         true);
    free(w->frame);
    free(w->paths);
    w->frame = caller.frame;
    w->paths = caller.paths;
    w->n_paths = caller.n_paths;
    w->live = caller.live;
    w->state = PTX_READY;
    --w->depth;
}

static void control(struct ptx_warp *w, const struct ptx_insn *i,
                    ptx_lanes lanes, ptx_lanes active)
{
    struct ptx_path *top = &w->paths[w->n_paths - 1];

    if (i->kind == PTX_BRANCH) {
        branch(w, i, lanes, active);
    } else if (i->kind == PTX_BARRIER) {
        barrier(w, i, active);
    } else if (i->kind == PTX_RETURN) {
        w->live &= ~active;
        ++top->pc;
    } else if (!active) {
        ++top->pc;
    } else if (i->kind == PTX_CALL) {
        call(w, i, active);
        ++w->paths[w->n_paths - 1].pc;
    } else {
        ptx_fault(w, i, first_of(active), CU_ILLEGAL_INSTRUCTION, "%s",
                  i->why ? i->why : "unknown instruction");
    }
}

static void run(struct ptx_warp *w, const struct ptx_function *f, uint64_t most)
{
    struct ptx_machine *m = w->block->machine;

    while (most-- > 0 && w->state == PTX_READY && !m->fault) {
        struct ptx_path *top = &w->paths[w->n_paths - 1];
        ptx_lanes lanes = top->lanes & w->live, active = lanes;
        const struct ptx_insn *i = &f->insns[top->pc];

        if (!lanes || top->pc == top->join) {
            if (--w->n_paths == 0)
                w->state = PTX_ENDED;
            continue;
        }
        if (i->guarded) {
            ptx_lanes guard;

            memcpy(&guard, w->frame + i->guard, sizeof guard);
            active &= i->negated ? ~guard : guard;
        }
        m->executed += (unsigned)__builtin_popcount(active);
        if (i->kind != PTX_PLAIN) {
            control(w, i, lanes, active);
            continue;
        }
        if (active)
            i->execute(w, i, active);
        ++top->pc;
    }
}

void ptx_warp_run(struct ptx_warp *w, uint64_t most)
{
    run(w, w->block->kernel, most);
}
