/* pace.c - see pace.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/pace.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SILENT = 4, /* runs */
    FIRST_WAIT = POLYGPU_MIN_RUNS,
    MOST_WAIT = 4096
};

static const double keep = 0.9;      /* a side, unless the other is better */
static const double share = 1 / 20.; /* of the time, for later trials */
static const double once_share = 1 / 5.; /* for what a first one needs once */

/* ---- Classes ------------------------------------------------------------- */

/* The exponent of a double, without the need for libm. */
static int size_of(double operations)
{
    uint64_t bits;

    memcpy(&bits, &operations, sizeof bits);
    return operations > 1 ? (int)(bits >> 52 & 2047) - 1023 : 0;
}

/* One that there is, or the place for it. */
static struct polygpu_class *find(struct polygpu_class *classes, int size)
{
    struct polygpu_class *place = classes;
    int i;

    for (i = 0; i < POLYGPU_CLASSES; ++i) {
        if (classes[i].used && classes[i].size == size)
            return &classes[i];
        if (classes[i].used < place->used)
            place = &classes[i];
    }
    return place;
}

static struct polygpu_class *nearest(struct polygpu_class *classes, int size)
{
    struct polygpu_class *near = NULL;
    int i;

    for (i = 0; i < POLYGPU_CLASSES; ++i)
        if (classes[i].used &&
            (!near || abs(classes[i].size - size) < abs(near->size - size)))
            near = &classes[i];
    return near;
}

static uint64_t last_use(const struct polygpu_class *classes)
{
    uint64_t last = 0;
    int i;

    for (i = 0; i < POLYGPU_CLASSES; ++i)
        last = classes[i].used > last ? classes[i].used : last;
    return last;
}

struct polygpu_class *polygpu_class_of(struct polygpu_class *classes,
                                       double operations)
{
    int size = size_of(operations), side;
    struct polygpu_class *c = find(classes, size), new = {.size = size};
    const struct polygpu_class *near = nearest(classes, size);

    for (side = 0; near && side < 2; ++side)
        new.pace[side].ratio = near->pace[side].ratio;
    new.left = near ? near->left : 0;
    if (!c->used || c->size != size)
        *c = new;
    c->used = last_use(classes) + 1;
    return c;
}

/* ---- Paces --------------------------------------------------------------- */

static double limited(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

void polygpu_pace_learn(struct polygpu_pace *pace, double model, double ms)
{
    double ratio = ms / model;

    if (!(model > 0 && ms >= 0 && ratio >= 1e-9 && ratio <= 1e9))
        return;
    pace->silent = 0;
    if (pace->runs == 0 || (pace->runs == 1 && ratio < pace->ratio))
        pace->ratio = ratio;
    else if (pace->runs > 1)
        pace->ratio +=
            (limited(ratio, pace->ratio / 2, pace->ratio * 2) - pace->ratio) /
            4;
    if (pace->runs < MOST_WAIT)
        ++pace->runs;
}

bool polygpu_pace_known(const struct polygpu_pace *pace)
{
    return pace->runs >= 2 || pace->silent >= MOST_SILENT;
}

/* ---- Sides --------------------------------------------------------------- */

static enum polygpu_side other_of(enum polygpu_side side)
{
    return side == POLYGPU_ON_CPU ? POLYGPU_ON_DEVICE : POLYGPU_ON_CPU;
}

/* Is it clear what "side" takes?  One run is enough where that was bad. */
static bool is_clear(const struct polygpu_class *c, enum polygpu_side side,
                     const double ms[2])
{
    return polygpu_pace_known(&c->pace[side]) ||
           (c->pace[side].runs == 1 && ms[side] > 2 * ms[other_of(side)]);
}

/* Would a trial of "other" leave all trials below their share?  A tenth of it
 * is for what they take longer than thought. */
static bool is_affordable(const struct polygpu_class *c,
                          enum polygpu_side other, const double ms[2])
{
    const double of_run = 0.92 * POLYGPU_RISK;
    double best = ms[other_of(other)], base = POLYGPU_MIN_RUNS * best;

    base = c->all - c->lost > base ? c->all - c->lost : base;
    return c->lost + ms[other] - best <= base * of_run / POLYGPU_MIN_RUNS;
}

/* What runs of both sides take, and a trial of one of them. */
struct trial {
    enum polygpu_side other;
    double usual[2], ms[2];
};

static bool is_near(const struct trial *t)
{
    return t->usual[t->other] <= POLYGPU_NEAR * t->usual[other_of(t->other)];
}

/* May a side be tried for the first time? */
static bool may_try(const struct polygpu_class *c, const struct trial *t)
{
    return c->pace[other_of(t->other)].runs > 0 && is_near(t) &&
           is_affordable(c, t->other, t->ms) &&
           !is_clear(c, t->other, t->usual);
}

/* May it be tried once more? */
static bool may_try_again(const struct polygpu_class *c, const struct trial *t)
{
    double loss = t->ms[t->other] - t->ms[other_of(t->other)];

    return c->pace[t->other].runs > 0 && c->since >= FIRST_WAIT &&
           c->since >= c->wait && is_near(t) &&
           is_affordable(c, t->other, t->ms) && loss <= share * c->spent;
}

/* The time of a trial on the device. */
static double trial_there(const struct polygpu_class *c,
                          const struct polygpu_times *times)
{
    double ms = times->ms[POLYGPU_ON_DEVICE] + times->once;

    return times->setup <= once_share * c->spent ? ms : ms + times->setup;
}

/* Results come to the host sooner or later: it is the CPU's trials that bring
 * them, and no gain of the device's. */
static struct trial trial_of(const struct polygpu_class *c,
                             enum polygpu_side other,
                             const struct polygpu_times *times)
{
    double cpu = times->ms[POLYGPU_ON_CPU];
    double device = times->ms[POLYGPU_ON_DEVICE];
    struct trial t = {other,
                      {cpu - times->coming, times->steady},
                      {cpu - times->coming, device}};

    if (other == POLYGPU_ON_DEVICE)
        t.ms[other] = trial_there(c, times);
    else
        t.ms[other] = cpu + times->leaving;
    return t;
}

static void note_run(struct polygpu_class *c, double ms)
{
    ++c->since;
    ++c->runs;
    c->spent += ms;
    c->all += ms;
}

bool polygpu_may_try(struct polygpu_class *c, const struct polygpu_times *times)
{
    const struct trial t = trial_of(c, POLYGPU_ON_DEVICE, times);
    bool may = may_try(c, &t);

    if (!may)
        note_run(c, times->ms[POLYGPU_ON_CPU]);
    return may;
}

static enum polygpu_side better(const struct polygpu_class *c,
                                const double ms[2])
{
    enum polygpu_side side = ms[POLYGPU_ON_DEVICE] < ms[POLYGPU_ON_CPU]
                                 ? POLYGPU_ON_DEVICE
                                 : POLYGPU_ON_CPU;

    if (c->chosen && side != c->side && polygpu_pace_known(&c->pace[side]) &&
        polygpu_pace_known(&c->pace[c->side]) && ms[side] > keep * ms[c->side])
        return c->side;
    return side;
}

static void begin_trial(struct polygpu_class *c, const struct trial *t)
{
    double loss = t->ms[t->other] - t->ms[other_of(t->other)];

    if (polygpu_pace_known(&c->pace[t->other]))
        c->wait = c->wait * 4 < MOST_WAIT ? c->wait * 4 : MOST_WAIT;
    else
        c->wait = FIRST_WAIT;
    c->since = 0;
    c->spent = 0;
    ++c->runs;
    c->all += t->ms[t->other];
    c->lost += loss > 0 ? loss : 0;
    ++c->trials;
}

enum polygpu_side polygpu_choose(struct polygpu_class *c,
                                 const struct polygpu_times *times, bool *trial)
{
    enum polygpu_side side = better(c, times->ms), other = other_of(side);
    struct trial t;

    c->chosen = true;
    c->side = side;
    /* What the device has is given up for what was measured only. */
    if (side == POLYGPU_ON_CPU && times->leaving > 0 && c->pace[side].runs == 0)
        other = side;
    t = trial_of(c, other, times);
    *trial = may_try(c, &t) || may_try_again(c, &t);
    if (*trial) {
        begin_trial(c, &t);
        return other;
    }
    note_run(c, times->ms[side]);
    return side;
}

bool polygpu_is_settled(const struct polygpu_class *c, const double ms[2])
{
    const double far = 10 * POLYGPU_NEAR; /* whatever is heard */
    bool out_of_reach =
        ms[POLYGPU_ON_DEVICE] > POLYGPU_NEAR * ms[POLYGPU_ON_CPU] ||
        is_clear(c, POLYGPU_ON_DEVICE, ms);

    return ms[POLYGPU_ON_DEVICE] > far * ms[POLYGPU_ON_CPU] ||
           (polygpu_pace_known(&c->pace[POLYGPU_ON_CPU]) && out_of_reach);
}
