/* load_emulated.c - see load_emulated.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "core/load_emulated.h"

#include "emulated/library.h"
#include "support/env.h"

#include <dlfcn.h>
#include <stdio.h>

#define FILE_NAME "libpolygpu_emulated.so"

enum { HOW = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

static void *open_library(const char *known, struct polygpu_status *status)
{
    const char *given = polygpu_env()->library;
    char reason[320] = "";
    void *handle;

    if (given) {
        handle = dlopen(given, HOW);
        if (!handle)
            polygpu_fail(status, POLYGPU_CAUSE_OPEN,
                         "POLYGPU_EMULATED is no library that can be loaded: "
                         "%s",
                         dlerror());
        return handle;
    }
    if (known) {
        if ((handle = dlopen(known, HOW)))
            return handle;
        snprintf(reason, sizeof reason, "%s", dlerror());
    }
    if ((handle = dlopen(FILE_NAME, HOW)))
        return handle;
    polygpu_fail(status, POLYGPU_CAUSE_OPEN,
                 "no library of the emulated device: %s; "
                 "POLYGPU_EMULATED=<path of " FILE_NAME "> says where it is",
                 known ? reason : dlerror());
    return NULL;
}

const struct polygpu_emulated_library *
polygpu_load_emulated(const char *known, struct polygpu_status *status)
{
    const struct polygpu_emulated_library *library;
    void *handle = open_library(known, status);

    if (!handle)
        return NULL;
    library = dlsym(handle, "polygpu_emulated_library");
    if (!library) {
        polygpu_fail(status, POLYGPU_CAUSE_OPEN,
                     "this is not the library of the emulated device: %s",
                     dlerror());
        return NULL;
    }
    if (library->abi_version == POLYGPU_ABI_VERSION &&
        library->version == POLYGPU_EMULATED_VERSION)
        return library;
    polygpu_fail(status, POLYGPU_CAUSE_VERSION,
                 FILE_NAME " has version %u.%u of the runtime interface, this "
                           "program's runtime has version %d.%d",
                 (unsigned)library->abi_version, (unsigned)library->version,
                 POLYGPU_ABI_VERSION, POLYGPU_EMULATED_VERSION);
    return NULL;
}
