/* streams.h - the streams of a session: launches, and copies beside them.
 *
 * Launches are in one stream.  While there are some that nobody has waited for,
 * copies are in another one, made at the first of these; a launch waits there
 * for the copies before it, by an event.  Where there can be no second stream,
 * copies are in the first one; without events the host waits.
 *
 * A session is used by one thread at a time, and its context is current.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_STREAMS_H
#define POLYGPU_STREAMS_H

#include "cuda/cuda_driver.h"
#include "cuda/staging.h"

#include <stdbool.h>

struct polygpu_streams {
    const struct polygpu_cuda_driver *driver;
    cu_stream launches;
    cu_stream copies;   /* NULL: it is not made yet, or cannot be */
    cu_event come;      /* behind copies; NULL before it is wanted */
    bool busy;          /* there are launches that nobody has waited for, */
    bool sent;          /* and copies beside them that launches may overtake */
    bool behind;        /* launches and copies that follow are in one order, */
    cu_event here;      /* which begins here, for others; NULL as "come" */
    bool reads_program; /* the device reads what malloc gives */
};

/* True: "launches" is there. */
cu_result polygpu_streams_make(struct polygpu_streams *streams,
                               const struct polygpu_cuda_driver *driver,
                               bool reads_program);
void polygpu_streams_end(struct polygpu_streams *streams);

/* For a copy: a stream of "like"'s context, where earlier launches need not be
 * waited for if there is a second one. */
struct polygpu_stream polygpu_streams_copier(struct polygpu_streams *streams,
                                             struct polygpu_stream like);

/* Copy to the device; complete on return, or, sent, for the launches that
 * follow polygpu_streams_join, and when all has been waited for. */
cu_result polygpu_streams_bring(struct polygpu_streams *streams,
                                const struct polygpu_stream *stream,
                                uintptr_t to, const void *from, size_t size);
cu_result polygpu_streams_send(struct polygpu_streams *streams,
                               const struct polygpu_stream *stream,
                               uintptr_t to, const void *from, size_t size);
/* Before a launch, if there is something "sent". */
cu_result polygpu_streams_join(struct polygpu_streams *streams);
/* What follows, and copies as well, comes behind the launches of both. */
cu_result polygpu_streams_follow(struct polygpu_streams *streams,
                                 const struct polygpu_streams *before);
/* Copy from the device; complete on return. */
cu_result polygpu_streams_fetch(const struct polygpu_stream *stream, void *to,
                                uintptr_t from, size_t size);

/* Wait for all; after a failure as far as that can be done. */
cu_result polygpu_streams_wait(struct polygpu_streams *streams);

#endif
