/* profile_csv.c - the profile as a table for programs,
 * POLYGPU_PROFILE=<file>.csv.
 *
 * A line with the names of the columns, then one per SCoP, in order of first
 * use, each followed by one per kernel.  Numbers mean what they mean in
 * profile_lines.c; columns that a line has nothing for are empty.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile_csv.h"

#include "core/state.h"
#include "support/output.h"

#include <inttypes.h>
#include <string.h>

static const char header[] =
    "kind,function,file,line,kernel,device,runs,declined,by_cost,failed,"
    "launches,time_ms,in_ms,out_ms,bytes_in,bytes_out,bytes_kept,operations,"
    "flops_single,flops_double,grid_x,grid_y,grid_z,block_x,block_y,block_z,"
    "bytes\n";

/* A column of text and the comma behind it. */
static void put(FILE *file, const char *text)
{
    bool plain = !strpbrk(text, "\",\r\n");

    if (!plain)
        fputc('"', file);
    for (; *text; ++text)
        fprintf(file, "%s%c", *text == '"' ? "\"" : "", *text);
    fputs(plain ? "," : "\",", file);
}

/* What lines of SCoPs and of kernels begin with. */
static void put_place(FILE *file, const char *kind,
                      const struct polygpu_state *state, const char *kernel)
{
    put(file, kind);
    put(file, state->function);
    put(file, state->file);
    fprintf(file, "%u,", (unsigned)state->line);
    put(file, kernel);
    put(file, state->stats.device ? state->stats.device : "none");
}

static void put_scop(FILE *file, const struct polygpu_state *state)
{
    const struct polygpu_scop_stats *s = &state->stats;

    put_place(file, "scop", state, "");
    fprintf(file,
            "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",,%.6f,%.6f,%.6f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",,,,,,,,,,\n",
            s->runs, s->declined, s->by_cost, s->failed, s->ms, s->in_ms,
            s->out_ms, s->bytes_in, s->bytes_out, s->bytes_kept);
}

static void put_kernel(FILE *file, const struct polygpu_state *state,
                       const struct polygpu_kernel_state *kernel)
{
    const struct polygpu_kernel_stats *s = &kernel->stats;

    put_place(file, "kernel", state, kernel->name);
    fprintf(file,
            ",,,,%" PRIu64 ",%.6f,,,,,,%.17g,%.17g,%.17g,%" PRIu32 ",%" PRIu32
            ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.17g\n",
            s->launches, s->device.ms, s->operations, s->flops_single,
            s->flops_double, s->grid[0], s->grid[1], s->grid[2],
            kernel->block[0], kernel->block[1], kernel->block[2], s->bytes);
}

static bool any_seen(void)
{
    const struct polygpu_state *state = polygpu_state_first();

    while (state && !state->seen)
        state = state->next;
    return state != NULL;
}

void polygpu_profile_csv(void)
{
    const struct polygpu_state *state;
    uint32_t k;
    FILE *file;

    if ((!any_seen() && !polygpu_output_is_first()) ||
        !(file = polygpu_output_open()))
        return;
    fputs(header, file);
    for (state = polygpu_state_first(); state; state = state->next) {
        if (!state->seen)
            continue;
        put_scop(file, state);
        for (k = 0; k < state->n_kernels; ++k)
            if (polygpu_state_shows(state, k))
                put_kernel(file, state, &state->kernels[k]);
    }
    polygpu_output_close(file);
}
