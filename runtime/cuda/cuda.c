/* cuda.c - a CUDA device, through the driver interface.
 *
 * It is the device that POLYGPU_DEVICE names, else that of the context that is
 * current in the thread that opens it, if the program uses CUDA itself, else
 * that of the process's number on this machine, if a launcher says it, else the
 * first one.  We share its primary context with the program: retained and never
 * released, current only during our calls.  If the program resets it, it is
 * retained again before the next run, and kernels are loaded again.  Each run
 * has a stream of its own, and does not disturb the program's captures of
 * graphs.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda.h"

#include "cuda/cuda_driver.h"
#include "cuda/cuda_peak.h"
#include "cuda/current.h"
#include "cuda/found.h"
#include "cuda/graphs.h"
#include "cuda/staging.h"
#include "cuda/streams.h"
#include "cuda/together.h"
#include "support/env.h"
#include "support/log.h"
#include "support/plans.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cuda_module {
    struct cuda_module *next;
    cu_module module;
    cu_function functions[]; /* one for each kernel */
};

/* An image that several SCoPs have: what became of it in one generation of the
 * device.  All but "next" is written once. */
struct cuda_image {
    struct cuda_image *next;
    unsigned generation;
    cu_module module;
    struct polygpu_status status;
};

/* What is made when it is wanted is NULL before. */
struct cuda_session {
    struct polygpu_streams streams;
    cu_event from, to; /* for the time of a launch */
    cu_event marks[POLYGPU_MOST_MARKED];
    struct polygpu_graphs *graphs; /* NULL: there are to be none */
    cu_address counter;            /* where blocks meet; 0: none yet */
};

/* All that were loaded, under the lock of state.c.  None is freed: after a
 * reset of the context, runs of other threads may be about to learn of it. */
static struct cuda_module *modules;
static struct cuda_image *images;

static const struct polygpu_cuda_driver *cuda;
static cu_device device;
static cu_context context;
static unsigned long long context_id; /* another one after a reset */
static unsigned resets;               /* noticed */
static pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned arch;
static bool shared;        /* the host's memory is the device's, */
static bool reads_program; /* or it reads what malloc gives */
static pid_t owner;        /* the process that opened the device */
static int lost;           /* the error after which nothing works any more */

/* Errors that leave the context unusable. */
static bool is_sticky(cu_result error)
{
    switch (error) {
    case CU_NOT_INITIALIZED:
    case CU_DEINITIALIZED:
    case CU_INVALID_CONTEXT:
    case CU_ECC_UNCORRECTABLE:
    case CU_NVLINK_UNCORRECTABLE:
    case CU_CONTAINED:
    case CU_ILLEGAL_ADDRESS:
    case CU_LAUNCH_TIMEOUT:
    case CU_CONTEXT_IS_DESTROYED:
    case CU_ASSERT:
    case CU_HARDWARE_STACK_ERROR:
    case CU_ILLEGAL_INSTRUCTION:
    case CU_MISALIGNED_ADDRESS:
    case CU_INVALID_ADDRESS_SPACE:
    case CU_INVALID_PC:
    case CU_LAUNCH_FAILED:
    case CU_TENSOR_MEMORY_LEAK:
    case CU_MPS_CLIENT_TERMINATED:
    case CU_EXTERNAL_DEVICE:
    case CU_UNKNOWN:
        return true;
    default:
        return false;
    }
}

static const char *describe(cu_result error)
{
    const char *text = NULL;

    return cuda->error_string(error, &text) == CU_OK && text ? text
                                                             : "unknown error";
}

/* The cause of a failure.  A lack of memory is one whatever it kept from being
 * done, and may pass. */
static enum polygpu_cause cause_of(cu_result result, enum polygpu_cause other)
{
    if (is_sticky(result)) {
        __atomic_store_n(&lost, result, __ATOMIC_RELEASE);
        return POLYGPU_CAUSE_BROKEN;
    }
    return result == CU_OUT_OF_MEMORY && other == POLYGPU_CAUSE_LOAD
               ? POLYGPU_CAUSE_MEMORY
               : other;
}

/* What follows for later runs. */
static const char *outlook(cu_result result)
{
    return is_sticky(result) ? "; this process does not use the device any more"
                             : "";
}

/* True if "result" is success; else the failure of "what". */
static bool check(cu_result result, enum polygpu_cause cause, const char *what,
                  struct polygpu_status *status)
{
    return result == CU_OK ||
           polygpu_fail(status, cause_of(result, cause),
                        "%s failed: %s (CUDA error %d)%s", what,
                        describe(result), result, outlook(result));
}

/* Make our context the current one; leave() undoes it. */
static bool enter(enum polygpu_cause cause, struct polygpu_status *status)
{
    return check(
        polygpu_make_current(cuda, __atomic_load_n(&context, __ATOMIC_ACQUIRE)),
        cause, "making the CUDA context current", status);
}

static void leave(void)
{
    polygpu_leave_current(cuda);
}

/* Retain the primary context and remember which one it is. */
static bool retain(struct polygpu_status *status)
{
    cu_context retained = NULL;
    unsigned long long id = 0;

    if (!check(cuda->context_retain(&retained, device), POLYGPU_CAUSE_OPEN,
               "opening the CUDA device", status))
        return false;
    if (cuda->context_id && cuda->context_id(retained, &id) != CU_OK)
        id = 0;
    __atomic_store_n(&context, retained, __ATOMIC_RELEASE);
    __atomic_store_n(&context_id, id, __ATOMIC_RELEASE);
    return true;
}

static bool has(int attribute)
{
    int value = 0;

    return cuda->device_attribute(&value, attribute, device) == CU_OK && value;
}

static bool cuda_open(struct polygpu_status *status)
{
    __atomic_store_n(&owner, getpid(), __ATOMIC_RELEASE);
    if (!polygpu_cuda_find(&cuda, &device, &arch, status))
        return false;
    reads_program = has(CU_HOST_PAGE_TABLES);
    shared = reads_program && has(CU_INTEGRATED);
    return retain(status);
}

static bool cuda_shares(void)
{
    return shared;
}

static unsigned cuda_arch(void)
{
    return arch;
}

static void cuda_peak(struct polygpu_peak *peak)
{
    polygpu_cuda_peak(cuda, device, arch, peak);
}

/* Is it still the one that was retained?  Without a lock. */
static bool is_same_context(void)
{
    cu_context known = __atomic_load_n(&context, __ATOMIC_ACQUIRE);
    unsigned long long id = 0;

    return cuda->context_id(known, &id) == CU_OK &&
           id == __atomic_load_n(&context_id, __ATOMIC_ACQUIRE);
}

/* Has the program reset the primary context, where that can be told? */
static bool was_reset(void)
{
    return cuda->context_id && __atomic_load_n(&context_id, __ATOMIC_ACQUIRE) &&
           !is_same_context();
}

/* After a reset nothing of ours is left in it
 * then, but a new one will do, unless the error was the machine's. */
static bool renew(struct polygpu_status *status)
{
    unsigned long long id = 0;
    bool ok = true;

    if (!was_reset())
        return true;
    pthread_mutex_lock(&context_lock);
    if (cuda->context_id(context, &id) != CU_OK || id != context_id) {
        ok = retain(status);
        if (ok) {
            __atomic_store_n(&lost, 0, __ATOMIC_RELEASE);
            __atomic_add_fetch(&resets, 1, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&context_lock);
    return ok;
}

/* A context does not survive a fork, nor an error that is_sticky. */
static bool cuda_alive(struct polygpu_status *status)
{
    int error;

    if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) != getpid())
        return polygpu_fail(status, POLYGPU_CAUSE_NO_DEVICE,
                            "no CUDA device in a forked process whose parent "
                            "uses it");
    if (!renew(status))
        return false;
    error = __atomic_load_n(&lost, __ATOMIC_ACQUIRE);
    return error == 0 ||
           polygpu_fail(status, POLYGPU_CAUSE_LOST,
                        "the CUDA device is lost after an earlier error: %s",
                        describe(error));
}

/* Modules are gone after a reset of the context. */
static unsigned cuda_generation(void)
{
    return __atomic_load_n(&resets, __ATOMIC_ACQUIRE);
}

/* Does the driver not know the PTX's version?  Old drivers say so in the log.
 */
static bool is_too_new(cu_result result, const char *log)
{
    return result == CU_UNSUPPORTED_PTX ||
           (result == CU_INVALID_PTX && strstr(log, "Unsupported .version"));
}

static bool fail_too_old(const struct polygpu_image *image,
                         struct polygpu_status *status)
{
    static const char word[] = ".version ";
    const char *text = image->kind == POLYGPU_IMAGE_PTX ? image->data : "";
    const char *ptx = strstr(text, word);
    int version = 0;

    if (!cuda->version || cuda->version(&version) != CU_OK)
        version = 0;
    ptx = ptx ? ptx + sizeof word - 1 : "of another version";
    return polygpu_fail(status, POLYGPU_CAUSE_LOAD,
                        "the CUDA driver, for CUDA %d.%d, is too old for the "
                        "kernels, which are PTX %.*s; install a newer driver, "
                        "or compile with -gpu-arch for an older architecture",
                        version / 1000, version % 1000 / 10,
                        (int)strcspn(ptx, " \n"), ptx);
}

/* Load one image; on failure the first line of the compiler's log is part of
 * the sentence. */
static bool load_image(const struct polygpu_image *image, cu_module *module,
                       struct polygpu_status *status)
{
    char log[4096] = "";
    int options[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    cu_result result =
        cuda->module_load(module, image->data, 2, options, values);

    if (result == CU_OUT_OF_MEMORY && polygpu_graphs_shed(cuda_generation()))
        result = cuda->module_load(module, image->data, 2, options, values);
    if (result == CU_OK)
        return true;
    log[sizeof log - 1] = '\0';
    if (is_too_new(result, log))
        return fail_too_old(image, status);
    log[strcspn(log, "\n")] = '\0';
    return polygpu_fail(status, cause_of(result, POLYGPU_CAUSE_LOAD),
                        "the CUDA driver rejects the kernels: %s (CUDA error "
                        "%d)%s%.300s%s",
                        describe(result), result, *log ? ": " : "", log,
                        outlook(result));
}

/* Remember what became of an image, for other SCoPs that have it; without
 * memory they load it themselves. */
static void keep_image(const struct polygpu_image *image, unsigned generation,
                       cu_module module, const struct polygpu_status *status)
{
    struct cuda_image *kept = calloc(1, sizeof *kept);

    if (!kept)
        return;
    kept->generation = generation;
    kept->module = module;
    kept->status = *status;
    kept->next = images;
    images = kept;
    __atomic_store_n(image->loaded, kept, __ATOMIC_RELEASE);
}

static bool is_kept(const struct polygpu_image *image, unsigned generation)
{
    const struct cuda_image *kept = image->loaded ? *image->loaded : NULL;

    return kept && kept->generation == generation;
}

static void log_image(const struct polygpu_image *image, const char *when)
{
    POLYGPU_LOG("kernels: %s for sm_%u%s",
                image->kind == POLYGPU_IMAGE_PTX ? "PTX" : "cubin",
                (unsigned)image->arch, when);
}

/* Load an image unless another SCoP has done so, or has failed for another
 * reason than a lack of memory, which may pass. */
static bool load_once(const struct polygpu_image *image, cu_module *module,
                      struct polygpu_status *status)
{
    unsigned generation = cuda_generation(); /* it may be reset meanwhile */
    bool ok;

    if (is_kept(image, generation)) {
        const struct cuda_image *kept = *image->loaded;

        if (kept->status.cause != POLYGPU_OK)
            return polygpu_fail(status, kept->status.cause, "%s",
                                kept->status.text);
        *module = kept->module;
        log_image(image, ", loaded before");
        return true;
    }
    ok = load_image(image, module, status);
    if (image->loaded && (ok || status->cause != POLYGPU_CAUSE_MEMORY))
        keep_image(image, generation, ok ? *module : NULL, status);
    if (ok)
        log_image(image, "");
    return ok;
}

/* Cubins run on devices of their major version that are not older. */
static bool is_executed(const struct polygpu_image *image)
{
    return image->arch <= polygpu_arch_limit(arch) &&
           (image->kind == POLYGPU_IMAGE_PTX || image->arch / 10 == arch / 10);
}

/* The image of a kind for the newest architecture that the device executes. */
static const struct polygpu_image *choose_image(const struct polygpu_scop *scop,
                                                const struct polygpu_plan *plan,
                                                uint32_t kind)
{
    const struct polygpu_image *best = NULL;
    uint32_t i;

    for (i = 0; i < plan->n_images; ++i) {
        const struct polygpu_image *image =
            &scop->images[plan->first_image + i];

        if (image->kind == kind && is_executed(image) &&
            (!best || image->arch > best->arch))
            best = image;
    }
    return best;
}

/* Have the driver accept launches with the shared memory that the kernel asks
 * for; it may be more than the driver gives to kernels that did not say so. */
static bool allow_shared(const struct polygpu_kernel *kernel,
                         cu_function function, struct polygpu_status *status)
{
    cu_result result;

    if (!(kernel->flags & POLYGPU_KERNEL_DYNAMIC))
        return true;
    result = cuda->function_set(function, CU_FUNCTION_DYNAMIC_SHARED,
                                (int)kernel->shared_bytes);
    return result == CU_OK ||
           polygpu_fail(status, cause_of(result, POLYGPU_CAUSE_LOAD),
                        "kernel %s needs %u bytes of shared memory for each "
                        "block: %s%s",
                        kernel->name, (unsigned)kernel->shared_bytes,
                        describe(result), outlook(result));
}

static bool load_functions(const struct polygpu_scop *scop,
                           const struct polygpu_plan *plan,
                           struct cuda_module *loaded,
                           struct polygpu_status *status)
{
    uint32_t end = plan->first_kernel + plan->n_kernels, k;

    for (k = plan->first_kernel; k < end; ++k) {
        cu_result result = cuda->module_function(
            &loaded->functions[k], loaded->module, scop->kernels[k].name);

        if (result == CU_NOT_FOUND &&
            scop->kernels[k].flags &
                (POLYGPU_KERNEL_GRID | POLYGPU_KERNEL_PART)) {
            loaded->functions[k] = NULL; /* launches do the same, or others */
            continue;
        }
        if (result != CU_OK)
            return polygpu_fail(status, cause_of(result, POLYGPU_CAUSE_LOAD),
                                "kernel %s is not in the loaded image: %s%s",
                                scop->kernels[k].name, describe(result),
                                outlook(result));
        if (!allow_shared(&scop->kernels[k], loaded->functions[k], status))
            return false;
    }
    return true;
}

/* Load the one, or, unless memory is short, the other; either may be NULL. */
static const struct polygpu_image *
load_either(const struct polygpu_image *cubin, const struct polygpu_image *ptx,
            cu_module *module, struct polygpu_status *status)
{
    struct polygpu_status first = {0};

    if (cubin && load_once(cubin, module, &first))
        return cubin;
    if (ptx && first.cause != POLYGPU_CAUSE_MEMORY &&
        load_once(ptx, module, status))
        return ptx;
    polygpu_fail(status, first.cause, "%s", first.text);
    return NULL;
}

static bool load_current(const struct polygpu_scop *scop,
                         struct cuda_module *loaded,
                         struct polygpu_status *status)
{
    const struct polygpu_plan plan =
        polygpu_plan_get(scop, polygpu_plan_number(scop, arch));
    const struct polygpu_image *cubin =
        choose_image(scop, &plan, POLYGPU_IMAGE_CUBIN);
    const struct polygpu_image *ptx =
        choose_image(scop, &plan, POLYGPU_IMAGE_PTX);
    const struct polygpu_image *image;

    if (!cubin && !ptx)
        return polygpu_fail(status, POLYGPU_CAUSE_NO_IMAGE,
                            "there is no device code for compute capability "
                            "%u.%u",
                            polygpu_arch_limit(arch) / 10,
                            polygpu_arch_limit(arch) % 10);
    image = load_either(cubin, ptx, &loaded->module, status);
    if (!image)
        return false;
    if (load_functions(scop, &plan, loaded, status))
        return true;
    if (!image->loaded)
        cuda->module_unload(loaded->module);
    return false;
}

static bool cuda_load(const struct polygpu_scop *scop, void **module,
                      struct polygpu_status *status)
{
    struct cuda_module *loaded;
    bool ok;

    loaded =
        calloc(1, sizeof *loaded + scop->n_kernels * sizeof *loaded->functions);
    if (!loaded)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for the loaded kernels");
    ok = enter(POLYGPU_CAUSE_LOAD, status);
    if (ok) {
        ok = load_current(scop, loaded, status);
        leave();
    }
    if (!ok) {
        free(loaded);
        return false;
    }
    loaded->next = modules;
    modules = loaded;
    *module = loaded;
    return true;
}

static bool cuda_start(const struct polygpu_scop *scop, void **session,
                       struct polygpu_status *status)
{
    struct cuda_session *s = calloc(1, sizeof *s);
    bool ok;

    (void)scop;
    if (!s)
        return polygpu_fail(status, POLYGPU_CAUSE_MEMORY,
                            "no host memory for the run");
    ok = enter(POLYGPU_CAUSE_OPEN, status);
    if (ok) {
        ok = check(polygpu_streams_make(&s->streams, cuda, reads_program),
                   POLYGPU_CAUSE_MEMORY, "creating a CUDA stream", status);
        leave();
    }
    if (!ok) {
        free(s);
        return false;
    }
    s->graphs = polygpu_graphs_new(cuda, cuda_generation());
    *session = s;
    return true;
}

/* A stream that has been waited for is as good as a new one. */
static bool cuda_rest(void *session)
{
    struct cuda_session *s = session;
    struct polygpu_status ignored = {0};
    cu_result result;

    if (!s->graphs || !polygpu_graphs_rest(s->graphs))
        return true;
    if (!enter(POLYGPU_CAUSE_OPEN, &ignored))
        return false;
    result = polygpu_graphs_tidy(s->graphs);
    leave();
    return !is_sticky(result) ||
           check(result, POLYGPU_CAUSE_LAUNCH, "building a graph", &ignored);
}

static void destroy_event(cu_event event)
{
    if (event)
        cuda->event_destroy(event);
}

static void cuda_stop(void *session)
{
    struct cuda_session *s = session;
    struct polygpu_status ignored = {0};
    bool gone = (polygpu_graphs_any(s->graphs) || s->counter) && was_reset();
    bool entered = enter(POLYGPU_CAUSE_OPEN, &ignored);
    unsigned i;

    polygpu_graphs_free(s->graphs, gone || !entered, cuda_generation());
    if (entered) {
        destroy_event(s->from);
        destroy_event(s->to);
        for (i = 0; i < POLYGPU_MOST_MARKED; ++i)
            destroy_event(s->marks[i]);
        polygpu_streams_end(&s->streams);
        if (s->counter && !gone)
            cuda->mem_free(s->counter);
        leave();
    }
    free(s);
}

/* What is left of the device's memory, for a sentence. */
static void describe_memory(char *text, size_t size)
{
    size_t left, all;

    text[0] = '\0';
    if (cuda->mem_info && cuda->mem_info(&left, &all) == CU_OK)
        snprintf(text, size, " (%zu of %zu are free)", left, all);
}

/* In whole words: elements of 8 and 16 bits are updated by atomic operations on
 * the words around them.
 */
static bool cuda_alloc(size_t size, uintptr_t *address,
                       struct polygpu_status *status)
{
    char what[160], left[80] = "";
    cu_result result;

    if (!enter(POLYGPU_CAUSE_MEMORY, status))
        return false;
    size += -size & 3;
    result = cuda->mem_alloc(address, size);
    if (result == CU_OUT_OF_MEMORY && polygpu_graphs_shed(cuda_generation()))
        result = cuda->mem_alloc(address, size);
    if (result != CU_OK)
        describe_memory(left, sizeof left);
    leave();
    if (result == CU_OK)
        return true;
    snprintf(what, sizeof what, "allocating %zu bytes on the device%s", size,
             left);
    return check(result, POLYGPU_CAUSE_MEMORY, what, status);
}

/* Waits for kernels that still run, so it is safe after a failure as well. */
static void cuda_free(uintptr_t address)
{
    struct polygpu_status ignored = {0};

    if (enter(POLYGPU_CAUSE_MEMORY, &ignored)) {
        cuda->mem_free(address);
        leave();
    }
}

static void cuda_lend(uintptr_t address, size_t size, size_t capacity)
{
    (void)capacity;
    if (cuda->lend)
        cuda->lend(address, size);
}

/* A stream, for staging.c. */
static struct polygpu_stream stream_of(cu_stream handle)
{
    return (struct polygpu_stream){cuda,
                                   __atomic_load_n(&context, __ATOMIC_ACQUIRE),
                                   cuda_generation(), handle};
}

/* enter() for what follows launches: those held back are made first.  After a
 * failure the session is waited for. */
static bool enter_behind(struct cuda_session *s, enum polygpu_cause cause,
                         bool waits, struct polygpu_status *status)
{
    struct polygpu_graph_failure failure;

    if (!enter(cause, status))
        return false;
    if (!s->graphs || polygpu_graphs_end(s->graphs, waits, &failure))
        return true;
    leave();
    return check(failure.result, POLYGPU_CAUSE_LAUNCH, failure.what, status);
}

/* One copy, for which all launches held back are made first. */
enum way { BRING, SEND, FETCH };

static bool copy(struct cuda_session *s, enum way way, void *host,
                 uintptr_t device_address, size_t size,
                 struct polygpu_status *status)
{
    enum polygpu_cause cause =
        way == FETCH ? POLYGPU_CAUSE_DOWNLOAD : POLYGPU_CAUSE_UPLOAD;
    struct polygpu_stream stream;
    cu_result result;

    if (!enter_behind(s, cause, false, status))
        return false;
    stream = polygpu_streams_copier(&s->streams, stream_of(NULL));
    if (way == FETCH)
        result = polygpu_streams_fetch(&stream, host, device_address, size);
    else if (way == SEND)
        result = polygpu_streams_send(&s->streams, &stream, device_address,
                                      host, size);
    else
        result = polygpu_streams_bring(&s->streams, &stream, device_address,
                                       host, size);
    leave();
    return check(result, cause,
                 way == FETCH ? "copying from the device"
                              : "copying to the device",
                 status);
}

static bool cuda_copy_in(void *session, uintptr_t to, const void *from,
                         size_t size, struct polygpu_status *status)
{
    return copy(session, BRING, (void *)(uintptr_t)from, to, size, status);
}

static bool cuda_send(void *session, uintptr_t to, const void *from,
                      size_t size, struct polygpu_status *status)
{
    return copy(session, SEND, (void *)(uintptr_t)from, to, size, status);
}

static bool cuda_copy_out(void *session, void *to, uintptr_t from, size_t size,
                          struct polygpu_status *status)
{
    return copy(session, FETCH, to, from, size, status);
}

/* Have what was sent come before the launches that follow. */
static bool join(struct cuda_session *s, struct polygpu_status *status)
{
    cu_result result;

    if (!s->streams.sent)
        return true;
    if (!enter(POLYGPU_CAUSE_UPLOAD, status))
        return false;
    result = polygpu_streams_join(&s->streams);
    leave();
    return check(result, POLYGPU_CAUSE_UPLOAD, "waiting for copies", status);
}

/* Make the session's events, for the first launch that is timed. */
static cu_result make_events(struct cuda_session *s)
{
    cu_result result = CU_OK;

    if (!s->from)
        result = cuda->event_create(&s->from, CU_EVENT_PLAIN);
    if (result == CU_OK && !s->to)
        result = cuda->event_create(&s->to, CU_EVENT_PLAIN);
    return result;
}

/* One launch that is waited for, to know its time. */
static cu_result launch_timed(struct cuda_session *s,
                              const struct polygpu_launcher *launcher,
                              uint32_t kernel, const uint32_t grid[3],
                              void **args, double *ms)
{
    float elapsed = 0;
    cu_result result = make_events(s);

    if (result == CU_OK)
        result = cuda->event_record(s->from, s->streams.launches);
    if (result == CU_OK)
        result = polygpu_launch_plainly(launcher, kernel, grid, args);
    if (result != CU_OK)
        return result;
    result = cuda->event_record(s->to, s->streams.launches);
    if (result == CU_OK)
        result = cuda->event_synchronize(s->to);
    if (result == CU_OK)
        result = cuda->event_elapsed(&elapsed, s->from, s->to);
    *ms += (double)elapsed;
    return result;
}

static bool launch_current(struct cuda_session *s,
                           const struct polygpu_launcher *launcher,
                           uint32_t kernel, const uint32_t grid[3], void **args,
                           struct polygpu_launch_stats *stats,
                           struct polygpu_graph_failure *failure)
{
    bool is_grid = launcher->scop->kernels[kernel].flags & POLYGPU_KERNEL_GRID;

    if (s->graphs && stats && !is_grid)
        polygpu_graphs_note(s->graphs, launcher, kernel, grid, args);
    else if (s->graphs && !is_grid) /* which is no part of a graph */
        return polygpu_graphs_launch(s->graphs, launcher, kernel, grid, args,
                                     failure);
    failure->result =
        stats ? launch_timed(s, launcher, kernel, grid, args, &stats->ms)
              : polygpu_launch_plainly(launcher, kernel, grid, args);
    if (failure->result != CU_OK)
        snprintf(failure->what, sizeof failure->what, "kernel %.120s",
                 launcher->scop->kernels[kernel].name);
    return failure->result == CU_OK;
}

/* Of a launch whose blocks are to be there at once, which other work of the
 * device may prevent. */
static bool is_refusal(cu_result error)
{
    return error == CU_TOO_LARGE || error == CU_NOT_SUPPORTED;
}

static bool cuda_launch(void *session, void *module,
                        const struct polygpu_scop *scop, uint32_t kernel,
                        const uint32_t grid[3], void **args,
                        struct polygpu_launch_stats *stats,
                        struct polygpu_status *status)
{
    struct cuda_session *s = session;
    const struct cuda_module *loaded = module;
    const struct polygpu_launcher launcher = {cuda, s->streams.launches, scop,
                                              loaded->functions};
    struct polygpu_graph_failure failure;
    bool together = scop->kernels[kernel].flags & POLYGPU_KERNEL_GRID, ok;

    s->streams.busy = true;
    if (!join(s, status))
        return false;
    if (!together && s->graphs && !stats &&
        polygpu_graphs_hold(s->graphs, kernel, &scop->kernels[kernel], grid,
                            args))
        return true;
    if (together ? !enter_behind(s, POLYGPU_CAUSE_LAUNCH, false, status)
                 : !enter(POLYGPU_CAUSE_LAUNCH, status))
        return false;
    ok = launch_current(s, &launcher, kernel, grid, args, stats, &failure);
    leave();
    return ok ||
           check(failure.result,
                 together && is_refusal(failure.result) ? POLYGPU_CAUSE_TOGETHER
                                                        : POLYGPU_CAUSE_LAUNCH,
                 failure.what, status);
}

static bool cuda_together(void *session, void *module,
                          const struct polygpu_scop *scop, uint32_t kernel,
                          uint32_t *blocks, uintptr_t *counter)
{
    struct cuda_session *s = session;
    const struct cuda_module *loaded = module;
    struct polygpu_status ignored = {0};

    if (!enter(POLYGPU_CAUSE_LAUNCH, &ignored))
        return false;
    *blocks = polygpu_together(cuda, device, loaded->functions[kernel],
                               &scop->kernels[kernel], s->streams.launches,
                               &s->counter);
    leave();
    *counter = s->counter;
    return *blocks > 0;
}

static uint32_t cuda_resident(void *session, void *module,
                              const struct polygpu_scop *scop, uint32_t kernel)
{
    const struct cuda_module *loaded = module;
    struct polygpu_status ignored = {0};
    uint32_t blocks;

    (void)session;
    if (!enter(POLYGPU_CAUSE_LAUNCH, &ignored))
        return 0;
    blocks = polygpu_resident(cuda, device, loaded->functions[kernel],
                              &scop->kernels[kernel]);
    leave();
    return blocks;
}

/* Without an event: to reach it, all launches are waited for. */
static bool cuda_mark(void *session, uint32_t number,
                      struct polygpu_status *status)
{
    struct cuda_session *s = session;
    cu_event *event = &s->marks[number];
    cu_result result = CU_OK;

    if (!enter_behind(s, POLYGPU_CAUSE_MEMORY, false, status))
        return false;
    if (!*event)
        result = cuda->event_create(event, CU_EVENT_NO_TIMING);
    if (result == CU_OK)
        result = cuda->event_record(*event, s->streams.launches);
    else
        *event = NULL;
    leave();
    return (!*event && !is_sticky(result)) ||
           check(result, POLYGPU_CAUSE_MEMORY, "marking launches", status);
}

static bool cuda_reach(void *session, uint32_t number,
                       struct polygpu_status *status)
{
    struct cuda_session *s = session;
    cu_event event = s->marks[number];
    cu_result result;

    if (!enter_behind(s, POLYGPU_CAUSE_SYNCHRONIZE, false, status))
        return false;
    result = event ? cuda->event_synchronize(event)
                   : cuda->stream_synchronize(s->streams.launches);
    leave();
    return check(result, POLYGPU_CAUSE_SYNCHRONIZE, "waiting for some kernels",
                 status);
}

static bool cuda_leave(void *session, struct polygpu_status *status)
{
    struct cuda_session *s = session;

    if (!enter_behind(s, POLYGPU_CAUSE_LAUNCH, false, status))
        return false;
    leave();
    s->streams.behind = false; /* unless something follows it again */
    return join(s, status);
}

static bool cuda_follow(void *session, void *before,
                        struct polygpu_status *status)
{
    struct cuda_session *s = session;
    const struct cuda_session *other = before;
    cu_result result;

    if (!enter(POLYGPU_CAUSE_SYNCHRONIZE, status))
        return false;
    result = polygpu_streams_follow(&s->streams, &other->streams);
    leave();
    return check(result, POLYGPU_CAUSE_SYNCHRONIZE,
                 "waiting for kernels of other loops", status);
}

static bool cuda_synchronize(void *session, struct polygpu_status *status)
{
    struct cuda_session *s = session;
    cu_result result;

    if (!enter_behind(s, POLYGPU_CAUSE_SYNCHRONIZE, true, status))
        return false;
    result = polygpu_streams_wait(&s->streams);
    if (result == CU_OK && s->graphs)
        polygpu_graphs_waited(s->graphs);
    leave();
    return check(result, POLYGPU_CAUSE_SYNCHRONIZE, "waiting for the kernels",
                 status);
}

/* After a reset that nobody has noticed yet, what was pinned is gone. */
static void cuda_close(void)
{
    struct polygpu_status ignored = {0};
    struct polygpu_stream stream = stream_of(NULL);
    bool there = stream.context && (!cuda->context_id || is_same_context()) &&
                 enter(POLYGPU_CAUSE_OPEN, &ignored);

    polygpu_graphs_log();
    polygpu_staging_end(there ? &stream : NULL);
    if (there)
        leave();
}

const struct polygpu_device polygpu_cuda = {
    .name = "cuda",
    .open = cuda_open,
    .alive = cuda_alive,
    .arch = cuda_arch,
    .peak = cuda_peak,
    .repeats = polygpu_graphs_repeats,
    .inject = polygpu_graphs_inject,
    .shares = cuda_shares,
    .generation = cuda_generation,
    .load = cuda_load,
    .start = cuda_start,
    .stop = cuda_stop,
    .rest = cuda_rest,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .lend = cuda_lend,
    .copy_in = cuda_copy_in,
    .send = cuda_send,
    .copy_out = cuda_copy_out,
    .launch = cuda_launch,
    .together = cuda_together,
    .resident = cuda_resident,
    .mark = cuda_mark,
    .reach = cuda_reach,
    .leave = cuda_leave,
    .follow = cuda_follow,
    .synchronize = cuda_synchronize,
    .close = cuda_close,
};
