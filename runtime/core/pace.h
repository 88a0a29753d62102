/* pace.h - how long runs really took, by what the model says, and which side is
 * the next one's.
 *
 * A SCoP has a class for each size that it runs at (operations between two
 * powers of 2).  In each both sides, the CPU and the device, have a pace: the
 * time that was measured by the time that the model gives with the constants of
 * POLYGPU_COST.  The second run halves what the first one suffered from (cold
 * caches, fresh pages): the shorter one of the two counts; later ones move the
 * pace by a quarter, and no more than twofold.
 *
 * The other side is tried where it may be better (polygpu_choose): as soon as
 * this one is measured, if the model puts the other one within a factor of 3,
 * and all trials with what they need once lose no more than a share of what was
 * spent (setup counts until it is a fifth of that); and
 * again, if what it took then is within that factor, when what the try may lose
 * is a twentieth of what was spent since the last one, and there were 20, 80,
 * 320, ... runs since.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PACE_H
#define POLYGPU_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum polygpu_side { POLYGPU_ON_CPU, POLYGPU_ON_DEVICE };

/* How much longer a side may take that is tried, but for what it needs once;
 * and how many runs on the better side all trials may lose in the first so
 * many. */
enum { POLYGPU_NEAR = 3, POLYGPU_RISK = 4, POLYGPU_MIN_RUNS = 20 };

struct polygpu_pace {
    unsigned runs;   /* measured, */
    unsigned silent; /* and those since that were to be, but were not */
    double ratio;    /* 0: nothing is known */
};

struct polygpu_class {
    uint64_t used;               /* when: the last one's is largest; 0: never */
    int size;                    /* 2^size operations up to twice as many */
    struct polygpu_pace pace[2]; /* of each side */
    /* Of the device's, where runs end before their kernels do: what is known of
     * it, and the least that it may be until then; 0: nothing. */
    double left, hint;
    bool chosen; /* there is a side that runs are on: */
    enum polygpu_side side;
    unsigned trials; /* of the other side */
    unsigned since;  /* runs since the last one, the least of which are */
    unsigned wait;   /* to be before the next, */
    double spent;    /* and ms of these */
    unsigned runs;   /* all of them, */
    double all;      /* their ms, */
    double lost;     /* and what trials were thought to lose of that */
};

/* Runs on the device since the last wait, that have ended before their kernels
 * did. */
struct polygpu_left {
    double operations; /* of their class */
    unsigned runs;
    double ms;       /* that the host had to do with them */
    double expected; /* ms, if each were waited for */
};

enum { POLYGPU_CLASSES = 8 };

/* The class of a size among POLYGPU_CLASSES; a new one begins with the paces of
 * the nearest size, without runs. */
struct polygpu_class *polygpu_class_of(struct polygpu_class *classes,
                                       double operations);
/* A run took "ms", and the model says "model". */
void polygpu_pace_learn(struct polygpu_pace *pace, double model, double ms);
/* What a run is expected to take. */
struct polygpu_times {
    double ms[2];   /* on either side, */
    double setup;   /* on the device, before the first time: */
    double once;    /* arrays and copies, of which "ms" has a part */
    double leaving; /* and after one that is not there */
    double steady;  /* on the device when all is there that stays */
    double coming;  /* of the CPU's: for results that the device has */
};
/* The side of the next run; "trial": to measure it. */
enum polygpu_side polygpu_choose(struct polygpu_class *c,
                                 const struct polygpu_times *times,
                                 bool *trial);
/* Its times on the device are the least that it takes there: may it be a trial
 * of that?  Else it is on the CPU. */
bool polygpu_may_try(struct polygpu_class *c,
                     const struct polygpu_times *times);
/* Are all such runs to be on the CPU, and no other one to be heard of?  On the
 * device they take ms[POLYGPU_ON_DEVICE] at least. */
bool polygpu_is_settled(const struct polygpu_class *c, const double ms[2]);
/* Has enough been heard of the pace, or been waited for? */
bool polygpu_pace_known(const struct polygpu_pace *pace);

#endif
