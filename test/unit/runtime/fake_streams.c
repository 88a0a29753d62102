/* fake_streams.c - streams and events of the fake driver.
 *
 * FAKE_CUDA_EVENTS and FAKE_CUDA_STREAMS are the most of them that can be made;
 * with FAKE_CUDA=deaf no stream waits for events.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "fake_cuda.h"
#include "flights.h"
#include "speeds.h"

#include <stdlib.h>

struct cu_event_object {
    int recorded;
    cu_stream stream;
    size_t behind; /* so many flights of the stream */
    double at;
};

static int waits, events_used;

/* How often the host has waited, and a stream was told of an event. */
int fake_cuda_waits(void);
int fake_cuda_waits(void)
{
    return __atomic_load_n(&waits, __ATOMIC_SEQ_CST);
}

int fake_cuda_events(void);
int fake_cuda_events(void)
{
    return __atomic_load_n(&events_used, __ATOMIC_SEQ_CST);
}

void fake_waited(void)
{
    __atomic_add_fetch(&waits, 1, __ATOMIC_SEQ_CST);
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Does a variable not say that there were enough? */
static bool may_make(const char *name, int *made)
{
    const char *value = getenv(name);

    return __atomic_fetch_add(made, 1, __ATOMIC_SEQ_CST) <
           (value ? atoi(value) : 1 << 30);
}

static int streams, events;

FAKE cuStreamCreate(cu_stream *stream, unsigned flags)
{
    cu_result result;

    CALL();
    (void)flags;
    if (!may_make("FAKE_CUDA_STREAMS", &streams))
        return CU_OUT_OF_MEMORY;
    result = fake_make((void **)stream, sizeof **stream);
    if (result != CU_OK)
        return result;
    flights_open(*stream);
    return CU_OK;
}

FAKE cuEventCreate(cu_event *event, unsigned flags)
{
    CALL();
    (void)flags;
    if (!may_make("FAKE_CUDA_EVENTS", &events))
        return CU_OUT_OF_MEMORY;
    return fake_make((void **)event, sizeof **event);
}

FAKE cuEventRecord(cu_event event, cu_stream stream)
{
    CALL();
    event->recorded = 1;
    event->stream = stream;
    event->behind = flights_number(stream);
    event->at = speeds_end(stream);
    return fake_usable();
}

/* Waits for nothing if nothing was recorded. */
FAKE cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    struct flight flight = {.waits = true};

    CALL();
    if (fake_usable() != CU_OK || flags || !stream)
        return fake_usable() != CU_OK ? fake_usable() : 1;
    if (event->recorded != 1)
        return CU_OK;
    flight.awaited = event->stream;
    flight.behind = event->behind;
    __atomic_add_fetch(&events_used, 1, __ATOMIC_SEQ_CST);
    if (fake_told("deaf"))
        return CU_OK;
    speeds_meet(stream, event->at);
    fake_take_off(stream, &flight);
    return CU_OK;
}

/* What kind of memory it is; an error where that is nobody's of CUDA. */
FAKE cuPointerGetAttribute(void *value, int attribute, cu_address address)
{
    CALL();
    if (fake_usable() != CU_OK || attribute != CU_MEMORY_TYPE)
        return fake_usable() != CU_OK ? fake_usable() : CU_UNKNOWN;
    if (!flights_pinned((const void *)address))
        return CU_BAD_VALUE;
    *(unsigned *)value = 1;
    return CU_OK;
}

FAKE cuEventSynchronize(cu_event event)
{
    if (event->recorded != 1)
        return CU_UNKNOWN;
    fake_waited();
    speeds_wait(event->at);
    if (fake_usable() == CU_OK)
        flights_land(event->stream, event->behind);
    CALL();
    return fake_usable();
}

FAKE cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    CALL();
    *ms = 0.25f;
    return from->recorded == 1 && to->recorded == 1 ? fake_usable()
                                                    : CU_UNKNOWN;
}

FAKE cuEventDestroy_v2(cu_event event)
{
    return fake_destroy(event);
}
