/* streams.c - see streams.h.
 *
 * Launches that have to wait for a copy wait for all before it as well: those
 * are of arrays that they, or launches before them, have.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/streams.h"

#include "support/env.h"
#include "support/log.h"

cu_result polygpu_streams_make(struct polygpu_streams *streams,
                               const struct polygpu_cuda_driver *driver,
                               bool reads_program)
{
    *streams = (struct polygpu_streams){.driver = driver,
                                        .reads_program = reads_program};
    return driver->stream_create(&streams->launches, CU_STREAM_OWN_ORDER);
}

void polygpu_streams_end(struct polygpu_streams *streams)
{
    const struct polygpu_cuda_driver *driver = streams->driver;

    if (streams->come)
        driver->event_destroy(streams->come);
    if (streams->here)
        driver->event_destroy(streams->here);
    if (streams->copies)
        driver->stream_destroy(streams->copies);
    driver->stream_destroy(streams->launches);
}

struct polygpu_stream polygpu_streams_copier(struct polygpu_streams *streams,
                                             struct polygpu_stream like)
{
    cu_result result = CU_OK;

    bool beside = streams->busy && !streams->behind;

    if (beside && !streams->copies)
        result = streams->driver->stream_create(&streams->copies,
                                                CU_STREAM_OWN_ORDER);
    if (result != CU_OK) {
        streams->copies = NULL;
        POLYGPU_LOG("no second CUDA stream (CUDA error %d)", result);
    }
    like.handle =
        beside && streams->copies ? streams->copies : streams->launches;
    return like;
}

/* What is in the second stream has been waited for. */
static cu_result settle(struct polygpu_streams *streams, cu_stream stream,
                        cu_result result)
{
    if (result == CU_OK && stream == streams->copies)
        streams->sent = false;
    return result;
}

cu_result polygpu_streams_bring(struct polygpu_streams *streams,
                                const struct polygpu_stream *stream,
                                uintptr_t to, const void *from, size_t size)
{
    cu_result result;

    if (!polygpu_stage_in(stream, to, from, size, &result)) {
        result = streams->driver->copy_in(to, from, size, stream->handle);
        if (result == CU_OK)
            result = streams->driver->stream_synchronize(stream->handle);
    }
    return settle(streams, stream->handle, result);
}

/* Has a copy read its source on return, so that it has taken its time and is
 * all but done?  The driver knows memory that it reads later: what was
 * pinned. */
static bool is_taken(const struct polygpu_streams *streams, const void *from)
{
    const struct polygpu_cuda_driver *driver = streams->driver;
    unsigned type = 0;

    return driver->stream_wait && driver->pointer_attribute &&
           !streams->reads_program &&
           driver->pointer_attribute(&type, CU_MEMORY_TYPE, (uintptr_t)from) ==
               CU_BAD_VALUE;
}

cu_result polygpu_streams_send(struct polygpu_streams *streams,
                               const struct polygpu_stream *stream,
                               uintptr_t to, const void *from, size_t size)
{
    cu_result result;

    if (polygpu_stage_in(stream, to, from, size, &result))
        return settle(streams, stream->handle, result);
    if (!is_taken(streams, from))
        return polygpu_streams_bring(streams, stream, to, from, size);
    if (stream->handle == streams->copies)
        streams->sent = true;
    return streams->driver->copy_in(to, from, size, stream->handle);
}

/* Have one stream wait for what is in another, by an event that is made when
 * it is first wanted, or the host. */
static cu_result wait_behind(const struct polygpu_cuda_driver *driver,
                             cu_stream stream, cu_stream before,
                             cu_event *event)
{
    cu_result result = CU_OK;

    if (!driver->stream_wait)
        return driver->stream_synchronize(before);
    if (!*event)
        result = driver->event_create(event, CU_EVENT_NO_TIMING);
    if (result != CU_OK)
        *event = NULL;
    if (result == CU_OK)
        result = driver->event_record(*event, before);
    if (result == CU_OK)
        result = driver->stream_wait(stream, *event, 0);
    if (result == CU_OK)
        return result;
    POLYGPU_LOG("the host waits for a stream (CUDA error %d)", result);
    return driver->stream_synchronize(before);
}

cu_result polygpu_streams_join(struct polygpu_streams *streams)
{
    cu_result result = wait_behind(streams->driver, streams->launches,
                                   streams->copies, &streams->come);

    streams->sent = result != CU_OK;
    return result;
}

cu_result polygpu_streams_follow(struct polygpu_streams *streams,
                                 const struct polygpu_streams *before)
{
    streams->behind = true;
    return before == streams ? CU_OK
                             : wait_behind(streams->driver, streams->launches,
                                           before->launches, &streams->here);
}

cu_result polygpu_streams_fetch(const struct polygpu_stream *stream, void *to,
                                uintptr_t from, size_t size)
{
    cu_result result;

    if (polygpu_stage_out(stream, to, from, size, &result))
        return result;
    result = stream->driver->copy_out(to, from, size, stream->handle);
    return result == CU_OK ? stream->driver->stream_synchronize(stream->handle)
                           : result;
}

cu_result polygpu_streams_wait(struct polygpu_streams *streams)
{
    const struct polygpu_cuda_driver *driver = streams->driver;
    cu_result result = driver->stream_synchronize(streams->launches);
    cu_result other = CU_OK;

    if (streams->sent || (result != CU_OK && streams->copies))
        other = driver->stream_synchronize(streams->copies);
    streams->busy = result != CU_OK;
    streams->behind = false;
    streams->sent = other != CU_OK;
    return result != CU_OK ? result : other;
}
