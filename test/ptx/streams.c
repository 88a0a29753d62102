/* streams.c - see streams.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "streams.h"

#include "list.h"

#include <stdio.h>
#include <string.h>

static cu_stream streams;

static struct {
    const char *memory;
    size_t size;
} *pinned;
static size_t n_pinned;

/* ---- Pinned memory ------------------------------------------------------- */

bool ptx_pin(const void *memory, size_t size)
{
    if (!GROW(pinned, n_pinned))
        return false;
    pinned[n_pinned].memory = memory;
    pinned[n_pinned++].size = size;
    return true;
}

void ptx_unpin(const void *memory)
{
    size_t i = 0;

    while (i < n_pinned && pinned[i].memory != memory)
        ++i;
    if (i < n_pinned)
        pinned[i] = pinned[--n_pinned];
}

bool ptx_is_pinned(const void *memory)
{
    uintptr_t at = (uintptr_t)memory;
    size_t i = 0;

    while (i < n_pinned && at - (uintptr_t)pinned[i].memory >= pinned[i].size)
        ++i;
    return i < n_pinned;
}

/* ---- Tasks --------------------------------------------------------------- */

static int copy(struct ptx_machine *m, const struct ptx_task *task)
{
    struct ptx_array *array = ptx_array_of(m, task->address, task->size);
    unsigned char *device;

    if (!array)
        return CU_INVALID_VALUE;
    device = array->host + (task->address - array->address);
    if (task->kind == PTX_COPY_IN)
        memcpy(device, task->host, task->size);
    else
        memcpy(task->host, device, task->size);
    return CU_OK;
}

static int do_task(struct ptx_machine *m, const struct ptx_task *task)
{
    if (m->fault)
        return m->fault;
    if (task->kind == PTX_WAIT)
        return task->awaited ? ptx_stream_wait(m, task->awaited, task->behind)
                             : CU_OK;
    if (task->kind != PTX_LAUNCH)
        return copy(m, task);
    if (ptx_launch_in_orders(m, &task->launch))
        return CU_OK;
    fprintf(stderr, "ptx machine: %s\n", m->why);
    return m->fault;
}

/* Has the caller to have been served on return?  Else the task has all that it
 * needs. */
static bool is_urgent(struct ptx_task *task)
{
    void *source;

    if (task->kind == PTX_LAUNCH || task->kind == PTX_WAIT ||
        ptx_is_pinned(task->host))
        return false;
    if (task->kind == PTX_COPY_OUT || !(source = malloc(task->size + 1)))
        return true;
    task->host = task->owned = memcpy(source, task->host, task->size);
    return false;
}

int ptx_stream_add(struct ptx_machine *m, cu_stream stream,
                   const struct ptx_task *task)
{
    struct ptx_task own = *task;
    bool now = !m->settings.late_streams || is_urgent(&own);

    if (!GROW(stream->tasks, stream->n)) {
        free(own.owned);
        return CU_OUT_OF_MEMORY;
    }
    stream->tasks[stream->n++] = own;
    return now ? ptx_stream_wait(m, stream, stream->done + stream->n) : CU_OK;
}

/* ---- Streams ------------------------------------------------------------- */

cu_stream ptx_stream_new(void)
{
    cu_stream stream = calloc(1, sizeof *stream);

    if (stream) {
        stream->next = streams;
        streams = stream;
    }
    return stream;
}

/* A stream that its first task waits for may wait for what was before that one
 * here: each task is done by itself, and counted then. */
int ptx_stream_wait(struct ptx_machine *m, cu_stream stream, size_t number)
{
    int result = CU_OK;

    while (stream->done < number && stream->n > 0) {
        struct ptx_task task = stream->tasks[0];
        int error = do_task(m, &task);

        result = result == CU_OK ? error : result;
        free(task.owned);
        --stream->n;
        ++stream->done;
        memmove(stream->tasks, stream->tasks + 1,
                stream->n * sizeof *stream->tasks);
    }
    return result;
}

int ptx_streams_wait(struct ptx_machine *m)
{
    int result = CU_OK;
    cu_stream s;

    for (s = streams; s; s = s->next) {
        int error = ptx_stream_wait(m, s, s->done + s->n);

        result = result == CU_OK ? error : result;
    }
    return result;
}

/* Nothing waits for a stream any more. */
static void unlink_waits(const struct cu_stream_object *freed)
{
    cu_stream s;
    size_t i;

    for (s = streams; s; s = s->next)
        for (i = 0; i < s->n; ++i)
            if (s->tasks[i].awaited == freed)
                s->tasks[i].awaited = NULL;
}

void ptx_stream_free(struct ptx_machine *m, cu_stream stream)
{
    cu_stream *at = &streams;

    ptx_stream_wait(m, stream, stream->done + stream->n);
    unlink_waits(stream);
    while (*at && *at != stream)
        at = &(*at)->next;
    if (*at)
        *at = stream->next;
    free(stream->tasks);
    free(stream);
}

void ptx_streams_forget(void)
{
    cu_stream s;
    size_t i;

    for (s = streams; s; s = s->next) {
        for (i = 0; i < s->n; ++i)
            free(s->tasks[i].owned);
        s->n = 0;
    }
}
