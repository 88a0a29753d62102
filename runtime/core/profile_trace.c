/* profile_trace.c - the profile as trace events, POLYGPU_PROFILE=<file>.json.
 *
 * The Trace Event Format, JSON Object Format, with complete events ("X") and
 * metadata ("M") alone; times are microseconds since the program was loaded.
 * Each thread of the host is a track, of runs with all that they do inside.
 * The device has one for kernels and one for copies each way, and others for
 * what overlaps because several threads use it: the events of a track are
 * inside of each other or apart. Beside them "profile" has the sums, with names
 * as in profile_csv.c.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/profile_trace.h"

#include "core/opened.h"
#include "core/state.h"
#include "core/trace.h"
#include "support/log.h"
#include "support/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* A track of the device: what it has, and when it is free again, ns. */
struct track {
    enum polygpu_event_kind kind;
    int64_t end;
};

/* A file that is being written. */
struct writer {
    FILE *file;
    double started;
    long *threads; /* of the host */
    struct track *tracks;
    size_t n_thread, n_track;
    long last; /* number of a thread, the device's tracks come behind */
};

/* Bytes of the UTF-8 character at "at"; 0: it is none. */
static int character(const unsigned char *at)
{
    int n = *at < 0x80   ? 1
            : *at < 0xc2 ? 0
            : *at < 0xe0 ? 2
            : *at < 0xf0 ? 3
                         : 4;
    int i;

    if (*at > 0xf4 || (*at == 0xe0 && at[1] < 0xa0) ||
        (*at == 0xed && at[1] > 0x9f) || (*at == 0xf0 && at[1] < 0x90) ||
        (*at == 0xf4 && at[1] > 0x8f))
        return 0;
    for (i = 1; i < n; ++i)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* "text" as a JSON string. */
static void put_string(FILE *file, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    fputc('"', file);
    while (*at) {
        int n = character(at);

        if (n == 0)
            fputs("\\ufffd", file);
        else if (*at < 0x20)
            fprintf(file, "\\u%04x", *at);
        else
            fprintf(file, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "", n,
                    (const char *)at);
        at += n ? n : 1;
    }
    fputc('"', file);
}

/* Nanoseconds since the program was loaded, so that sums are exact. */
static int64_t nanoseconds(const struct writer *w, double ms)
{
    double ns = (ms - w->started) * 1e6;

    return ns > 0 ? (int64_t)(ns + 0.5) : 0;
}

/* ---- Tracks ------------------------------------------------------------- */

static bool is_device(const struct polygpu_event *event)
{
    return event->kind >= POLYGPU_EVENT_IN;
}

/* "list" with room for one more. */
static bool grow(void *list, size_t n, size_t size)
{
    void **items = list, *moved = realloc(*items, (n + 1) * size);

    if (moved)
        *items = moved;
    return moved != NULL;
}

static void name_track(const struct writer *w, long number, long order,
                       const char *name)
{
    fprintf(w->file,
            ",\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":%ld,\"name\":\"thread_name\","
            "\"args\":{\"name\":",
            (long)getpid(), number);
    put_string(w->file, name);
    fprintf(w->file,
            "}},\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":%ld,\"name\":"
            "\"thread_sort_index\",\"args\":{\"sort_index\":%ld}}",
            (long)getpid(), number, order);
}

/* See a thread for the first time. */
static void add_thread(struct writer *w, long thread)
{
    char name[64];
    size_t i;

    for (i = 0; i < w->n_thread; ++i)
        if (w->threads[i] == thread)
            return;
    if (!grow(&w->threads, w->n_thread, sizeof *w->threads))
        return;
    w->threads[w->n_thread++] = thread;
    if (thread > w->last)
        w->last = thread;
    snprintf(name, sizeof name,
             thread == getpid() ? "main thread" : "thread %ld", thread);
    name_track(w, thread, (long)w->n_thread, name);
}

/* Make the "number"th track of such events. */
static bool add_track(struct writer *w, enum polygpu_event_kind kind,
                      size_t number)
{
    static const char *const what[] = {[POLYGPU_EVENT_IN] = "copies in",
                                       [POLYGPU_EVENT_OUT] = "copies out",
                                       [POLYGPU_EVENT_KERNEL] = "kernels"};
    static const long order[] = {[POLYGPU_EVENT_IN] = 0,
                                 [POLYGPU_EVENT_KERNEL] = 1,
                                 [POLYGPU_EVENT_OUT] = 2};
    char name[64], again[32] = "";

    if (!grow(&w->tracks, w->n_track, sizeof *w->tracks))
        return false;
    if (number > 1)
        snprintf(again, sizeof again, " (%zu)", number);
    snprintf(name, sizeof name, "device: %s%s", what[kind], again);
    name_track(w, w->last + 1 + (long)w->n_track,
               (long)w->n_thread + 1 + order[kind], name);
    w->tracks[w->n_track++] = (struct track){kind, 0};
    return true;
}

/* The first track of the device for such events that is free at "begun". */
static long device_track(struct writer *w, enum polygpu_event_kind kind,
                         int64_t begun, int64_t ended)
{
    size_t i, number = 1;

    for (i = 0; i < w->n_track; ++i) {
        if (w->tracks[i].kind != kind)
            continue;
        if (w->tracks[i].end <= begun)
            break;
        ++number;
    }
    if (i == w->n_track && !add_track(w, kind, number))
        return w->last + 1;
    w->tracks[i].end = ended;
    return w->last + 1 + (long)i;
}

/* ---- Events ------------------------------------------------------------- */

static const char *const categories[] = {
    [POLYGPU_EVENT_RUN] = "run",      [POLYGPU_EVENT_TOUCH] = "touch",
    [POLYGPU_EVENT_OPEN] = "setup",   [POLYGPU_EVENT_LOAD] = "setup",
    [POLYGPU_EVENT_IN] = "copy",      [POLYGPU_EVENT_OUT] = "copy",
    [POLYGPU_EVENT_KERNEL] = "kernel"};

static const char *array_name(const struct polygpu_event *event)
{
    return event->state && event->number < event->state->n_arrays
               ? event->state->arrays[event->number].name
               : "?";
}

static const struct polygpu_kernel_state *
kernel_of(const struct polygpu_event *event)
{
    return event->state && event->number < event->state->n_kernels
               ? &event->state->kernels[event->number]
               : NULL;
}

static void name_event(char *text, size_t size,
                       const struct polygpu_event *event)
{
    const struct polygpu_kernel_state *kernel = kernel_of(event);

    switch (event->kind) {
    case POLYGPU_EVENT_RUN:
        snprintf(text, size, "%s", event->state->function);
        break;
    case POLYGPU_EVENT_TOUCH:
        snprintf(text, size, "touch");
        break;
    case POLYGPU_EVENT_OPEN:
        snprintf(text, size, "open device");
        break;
    case POLYGPU_EVENT_LOAD:
        snprintf(text, size, "load kernels");
        break;
    case POLYGPU_EVENT_IN:
        snprintf(text, size, "in %s", array_name(event));
        break;
    case POLYGPU_EVENT_OUT:
        snprintf(text, size, "out %s", array_name(event));
        break;
    case POLYGPU_EVENT_KERNEL:
        snprintf(text, size, "%s", kernel ? kernel->name : "?");
        break;
    }
}

/* What is particular to a kind, each with a comma before it. */
static void put_details(FILE *file, const struct polygpu_event *event)
{
    const struct polygpu_kernel_state *kernel = kernel_of(event);

    if (event->kind == POLYGPU_EVENT_RUN)
        fprintf(file, ",\"results\":\"%s\"",
                event->done ? "written" : "not written");
    else if (event->kind == POLYGPU_EVENT_KERNEL && kernel)
        fprintf(file,
                ",\"grid\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32
                "],\"block\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
                event->grid[0], event->grid[1], event->grid[2],
                kernel->block[0], kernel->block[1], kernel->block[2]);
    else if (event->kind == POLYGPU_EVENT_IN ||
             event->kind == POLYGPU_EVENT_OUT)
        fprintf(file, ",\"bytes\":%" PRIu64, event->bytes);
    else if (event->kind == POLYGPU_EVENT_TOUCH)
        fprintf(file,
                ",\"dropped_bytes\":%" PRIu64 ",\"brought_bytes\":%" PRIu64,
                event->dropped, event->bytes);
    if (event->place) {
        fputs(",\"place\":", file);
        put_string(file, event->place);
    }
}

static void put_args(FILE *file, const struct polygpu_event *event)
{
    char loops[512] = "";

    if (event->state)
        snprintf(loops, sizeof loops, "%s (%s:%u)", event->state->function,
                 event->state->file, (unsigned)event->state->line);
    fputs("\"args\":{\"loops\":", file);
    put_string(file, loops);
    put_details(file, event);
    fputs("}}", file);
}

static void put_event(struct writer *w, const struct polygpu_event *event)
{
    int64_t begun = nanoseconds(w, event->begun);
    int64_t ended = nanoseconds(w, event->ended);
    long track = is_device(event) ? device_track(w, event->kind, begun, ended)
                                  : event->thread;
    char name[256];

    name_event(name, sizeof name, event);
    fprintf(w->file,
            ",\n{\"ph\":\"X\",\"pid\":%ld,\"tid\":%ld,\"ts\":%" PRId64
            ".%03d,\"dur\":%" PRId64 ".%03d,\"cat\":\"%s\",\"name\":",
            (long)getpid(), track, begun / 1000, (int)(begun % 1000),
            (ended - begun) / 1000, (int)((ended - begun) % 1000),
            categories[event->kind]);
    put_string(w->file, name);
    fputc(',', w->file);
    put_args(w->file, event);
}

/* ---- Sums --------------------------------------------------------------- */

/* JSON has no infinity, and nothing that is no number. */
static double json_number(double value)
{
    return __builtin_isfinite(value) ? value : 0;
}

/* What the device may do at most, in 10^9 a second; 0: not known. */
static void put_peak(FILE *file)
{
    const struct polygpu_peak *peak = polygpu_device_peak();

    fprintf(file,
            "{\"flops_single\":%.17g,\"flops_double\":%.17g,\"bytes\":%.17g}",
            peak->flops_single, peak->flops_double, peak->bytes);
}

static void put_kernel_sums(FILE *file, const struct polygpu_state *state,
                            const struct polygpu_kernel_state *kernel)
{
    const struct polygpu_kernel_stats *s = &kernel->stats;

    fputs("{\"kernel\":", file);
    put_string(file, kernel->name);
    fprintf(file,
            ",\"launches\":%" PRIu64 ",\"time_ms\":%.6f,\"operations\":%.17g,"
            "\"flops_single\":%.17g,\"flops_double\":%.17g,\"bytes\":%.17g,"
            "\"grid\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"block\":[%" PRIu32
            ",%" PRIu32 ",%" PRIu32 "]",
            s->launches, s->device.ms, json_number(s->operations),
            json_number(s->flops_single), json_number(s->flops_double),
            json_number(s->bytes), s->grid[0], s->grid[1], s->grid[2],
            kernel->block[0], kernel->block[1], kernel->block[2]);
    if (state->n_variants > 1)
        fprintf(file, ",\"variant\":%" PRIu32, kernel->variant);
    fputc('}', file);
}

static void put_array_sums(FILE *file, const struct polygpu_array_state *array)
{
    const struct polygpu_array_stats *s = &array->stats;

    fputs("{\"array\":", file);
    put_string(file, array->name);
    fprintf(file,
            ",\"bytes_in\":%" PRIu64 ",\"bytes_out\":%" PRIu64
            ",\"bytes_kept\":%" PRIu64 ",\"in_ms\":%.6f,\"out_ms\":%.6f}",
            s->bytes_in, s->bytes_out, s->bytes_kept, s->in_ms, s->out_ms);
}

/* The last decision of the cost test, where it made one. */
static void put_decision(FILE *file, const struct polygpu_state *state)
{
    if (!state->estimated)
        return;
    fputs(",\"decision\":", file);
    put_string(file, state->decision);
    fprintf(file, ",\"estimated_cpu_ms\":%.6g,\"estimated_gpu_ms\":%.6g",
            json_number(state->estimate.cpu_ms),
            json_number(state->estimate.gpu_ms));
}

/* The least and the largest value of each parameter. */
static void put_sizes(FILE *file, const struct polygpu_state *state)
{
    uint32_t i;

    if (!state->sized)
        return;
    fputs(",\"sizes\":[", file);
    for (i = 0; i < state->n_params; ++i)
        fprintf(file, "%s[%" PRId64 ",%" PRId64 "]", i ? "," : "",
                state->sizes[i].least, state->sizes[i].most);
    fputc(']', file);
}

/* Where there are several. */
static void put_variants(FILE *file, const struct polygpu_state *state)
{
    uint32_t v;

    if (state->n_variants < 2)
        return;
    fputs(",\"variants\":[", file);
    for (v = 0; v < state->n_variants; ++v) {
        fprintf(file, "%s{\"runs\":%" PRIu64 ",\"when\":", v ? "," : "",
                state->variants[v].runs);
        put_string(file, state->variants[v].when);
        fputc('}', file);
    }
    fputc(']', file);
}

static void put_scop_sums(FILE *file, const struct polygpu_state *state)
{
    const struct polygpu_scop_stats *s = &state->stats;
    const char *between = "";
    uint32_t i;

    fputs("{\"function\":", file);
    put_string(file, state->function);
    fputs(",\"file\":", file);
    put_string(file, state->file);
    fprintf(file, ",\"line\":%u,\"device\":", (unsigned)state->line);
    put_string(file, s->device ? s->device : "none");
    fprintf(file,
            ",\"runs\":%" PRIu64 ",\"declined\":%" PRIu64
            ",\"by_cost\":%" PRIu64 ",\"failed\":%" PRIu64
            ",\"time_ms\":%.6f,\"in_ms\":%.6f,\"out_ms\":%.6f"
            ",\"bytes_in\":%" PRIu64 ",\"bytes_out\":%" PRIu64
            ",\"bytes_kept\":%" PRIu64,
            s->runs, s->declined, s->by_cost, s->failed, s->ms, s->in_ms,
            s->out_ms, s->bytes_in, s->bytes_out, s->bytes_kept);
    put_sizes(file, state);
    put_variants(file, state);
    put_decision(file, state);
    if (*state->reason) {
        fputs(",\"reason\":", file);
        put_string(file, state->reason);
    }
    fputs(",\n\"kernels\":[", file);
    for (i = 0; i < state->n_kernels; ++i)
        if (polygpu_state_shows(state, i)) {
            fputs(between, file);
            put_kernel_sums(file, state, &state->kernels[i]);
            between = ",\n";
        }
    fputs("],\n\"arrays\":[", file);
    for (i = 0; i < state->n_arrays; ++i) {
        fputs(i ? ",\n" : "", file);
        put_array_sums(file, &state->arrays[i]);
    }
    fputs("]}", file);
}

static void put_sums(FILE *file)
{
    const struct polygpu_state *state;
    const char *between = "\n";

    fputs(",\"profile\":{\"peak\":", file);
    put_peak(file);
    fputs(",\"scops\":[", file);
    for (state = polygpu_state_first(); state; state = state->next)
        if (state->seen) {
            fputs(between, file);
            put_scop_sums(file, state);
            between = ",\n";
        }
    fputs("]}", file);
}

static void put_all(struct writer *w, const struct polygpu_event *events,
                    uint64_t n, uint64_t lost)
{
    uint64_t i;

    fprintf(w->file,
            "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"version\":"
            "\"PolyGPU " POLYGPU_VERSION "\",\"events_not_kept\":\"%" PRIu64
            "\"},\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":%ld,\"name\":"
            "\"process_name\",\"args\":{\"name\":",
            lost, (long)getpid());
    put_string(w->file, program_invocation_short_name);
    fputs("}}", w->file);
    for (i = 0; i < n; ++i)
        if (!is_device(&events[i]))
            add_thread(w, events[i].thread);
    for (i = 0; i < n; ++i)
        put_event(w, &events[i]);
    fputs("\n]", w->file);
    put_sums(w->file);
    fputs("}\n", w->file);
}

void polygpu_profile_trace(double started)
{
    struct writer w = {.started = started, .last = getpid()};
    uint64_t n, lost;
    const struct polygpu_event *events = polygpu_trace_events(&n, &lost);

    if ((n == 0 && !polygpu_output_is_first()) ||
        !(w.file = polygpu_output_open()))
        return;
    put_all(&w, events, n, lost);
    free(w.threads);
    free(w.tracks);
    polygpu_output_close(w.file);
    if (lost)
        polygpu_message("the trace has the first %" PRIu64 " events, %" PRIu64
                        " came later",
                        n, lost);
}
