/* speeds.c - see speeds.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "speeds.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool known;
    double bus, host, kernel, wait;
} speed;
static double now;            /* of the host */
static double bus[2], kernel; /* when they are free */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void enter(void)
{
    const char *value;

    pthread_mutex_lock(&lock);
    if (speed.known)
        return;
    speed.known = true;
    value = getenv("FAKE_CUDA_SPEEDS");
    if (value && sscanf(value, "%lf:%lf:%lf:%lf", &speed.bus, &speed.host,
                        &speed.kernel, &speed.wait) != 4)
        abort();
}

/* From when "unit" is free on, which it is not for so long. */
static void take(cu_stream stream, double *unit, double ns)
{
    *unit = larger(larger(now, stream->at), *unit) + ns;
    stream->at = *unit;
}

/* The host fills what the bus takes, or empties what it brought. */
static void copy(cu_stream stream, const struct flight *flight)
{
    double size = (double)flight->size / 1024;

    take(stream, &bus[flight->in], size * speed.bus);
    if (flight->pinned)
        return;
    now = flight->in ? now + size * speed.host
                     : larger(stream->at, now + size * speed.host);
    stream->at = bus[flight->in] = larger(stream->at, now);
}

void speeds_add(cu_stream stream, const struct flight *flight)
{
    enter();
    if (flight->kernel)
        take(stream, &kernel, speed.kernel);
    else if (!flight->waits)
        copy(stream, flight);
    pthread_mutex_unlock(&lock);
}

double speeds_end(cu_stream stream)
{
    double at;

    enter();
    at = stream->at;
    pthread_mutex_unlock(&lock);
    return at;
}

void speeds_meet(cu_stream stream, double at)
{
    enter();
    stream->at = larger(stream->at, at);
    pthread_mutex_unlock(&lock);
}

void speeds_wait(double at)
{
    enter();
    now = larger(now, at) + speed.wait;
    pthread_mutex_unlock(&lock);
}

/* The host's time in us. */
int fake_cuda_clock(void);
int fake_cuda_clock(void)
{
    double ns;

    enter();
    ns = now;
    pthread_mutex_unlock(&lock);
    return (int)(ns / 1000);
}
