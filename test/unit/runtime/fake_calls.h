/* fake_calls.h - what tests ask the fake driver, or have it do, by the names of
 * its functions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef FAKE_CALLS_H
#define FAKE_CALLS_H

#include "check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of the driver; NULL: another driver has none of that name. */
static inline void *fake_find(const char *name)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    return library ? dlsym(library, name) : NULL;
}

/* What a function says. */
static inline int fake_int(const char *name)
{
    int (*function)(void);
    void *found = fake_find(name);

    CHECK(found);
    memcpy(&function, &found, sizeof function);
    return function();
}

/* The same; 0 where there is none. */
static inline int fake_count(const char *name)
{
    return fake_find(name) ? fake_int(name) : 0;
}

/* Have a function do what plays the program's part. */
static inline int fake_do(const char *name, int argument)
{
    int (*function)(int);
    void *found = fake_find(name);

    CHECK(found);
    memcpy(&function, &found, sizeof function);
    return function(argument);
}

/* Does the child run well with a seed and an order of streams that are drawn,
 * and "set" unless NULL?  The order stays in the environment. */
static inline int fake_run_drawn(const char *child, const char *set)
{
    char order[64], seed[64];

    snprintf(order, sizeof order, "random:%llu",
             (unsigned long long)(check_random() % 1000000));
    snprintf(seed, sizeof seed, "POLYGPU_SEED=%llu",
             (unsigned long long)check_random());
    setenv("FAKE_CUDA_ORDER", order, 1);
    return check_run(child, seed, set) == 0;
}

#endif
