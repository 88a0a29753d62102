/* peak.c - times of copies, of fused multiply-adds and of cuBLAS, to compare
 * kernels with.
 *
 *   peak KERNELS.ptx REQUEST...
 *
 * KERNELS.ptx is kernels.c, compiled.  A request is one argument:
 *
 *   fma TYPE                  what all multiprocessors compute
 *   copy BYTES CACHE          copies within the device, by a kernel that reads
 *   memcpy BYTES CACHE        and writes BYTES in total, and by the driver
 *   OPERATION TYPE SIZES CACHE   of cuBLAS, see operations.c
 *
 * with TYPE float or double, SIZES like 2000,2000,2000, and CACHE either warm,
 * where repetitions follow each other, or cold, where a larger array was
 * written before each of them.
 *
 * The first line on stdout is about the device, the last field being its name,
 * and each other one about a request:
 *
 *   device capability=N multiprocessors=N l2=N driver=N cublas=N name=...
 *   figure what=... type=... sizes=... cache=... best_ms=F median_ms=F
 *       repetitions=N amount=F
 *
 * (without the break).  amount is the number of operations or bytes, and 0
 * for cuBLAS.  Each repetition is measured as the runtime measures launches: an
 * event, the operation and another event on a stream that was idle, and a wait.
 * Without requests only the device's line is printed.
 *
 * A failure is one line on stderr.  Exit status: 0, or that of the first
 * failure: 2 wrong arguments, 10 no driver, 11 no device, 12 no cuBLAS (other
 * requests are answered), 13 a call failed (further requests are tried), 14 no
 * memory on the host, or the file of kernels cannot be read.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "kernels.h"
#include "operations.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAD_ARGUMENTS = 2,
    NO_DRIVER = 10,
    NO_DEVICE = 11,
    NO_BLAS = 12,
    CALL_FAILED = 13,
    NO_HOST = 14,
};

enum {
    WARM_UP_MS = 100, /* or WARM_UP_RUNS, what is longer */
    WARM_UP_RUNS = 2,
    MEASURED_MS = 500,
    LEAST_RUNS = 5,
    MOST_RUNS = 50,
    FMA_ITERATIONS = 1024,
    FMA_BLOCKS = 48, /* for each multiprocessor, which has room for 4, 6 or 8 */
    VECTOR = 16,     /* bytes */
};

static const size_t ELEMENT[TYPES] = {sizeof(float), sizeof(double)};
static const char *const TYPE[TYPES] = {"float", "double"};

static struct cuda cuda;
static struct blas blas;
static blas_handle handle;
static const char *no_blas = "not looked for";
static cu_stream stream;
static cu_event from, to;
static cu_function copy_kernel, fma_kernel[TYPES], fill_kernel[TYPES];
static int multiprocessors;
static cu_address flushed; /* written to make caches cold */
static size_t flushed_bytes;
static int status;

/* Says what is wrong; the first cause is the exit status.  False. */
__attribute__((format(printf, 2, 3))) static bool fail(int cause,
                                                       const char *format, ...)
{
    va_list arguments;

    fputs("peak: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (!status)
        status = cause;
    return false;
}

static bool check(cu_result result, const char *what)
{
    const char *text = NULL;

    if (result == CU_OK)
        return true;
    if (cuda.error_string(result, &text) != CU_OK || !text)
        text = "unknown error";
    return fail(CALL_FAILED, "%s failed: %s (CUDA error %d)", what, text,
                result);
}

/* ---- What is timed --------------------------------------------------------
 */

struct request {
    char what[16];
    const struct operation *operation; /* of cuBLAS, or NULL */
    int type;
    char sizes[48];
    int n[SIZES];
    size_t bytes;
    bool cold;
    cu_address array[ARRAYS];
    double amount;
};

static bool launch(cu_function function, size_t blocks, void **arguments,
                   const char *what)
{
    if (blocks > INT32_MAX)
        return fail(CALL_FAILED, "%s: %zu blocks are too many", what, blocks);
    return check(cuda.launch(function, (unsigned)blocks, 1, 1, THREADS, 1, 1, 0,
                             stream, arguments, NULL),
                 what);
}

/* The least number of blocks of "size" that have "count". */
static size_t pieces(size_t count, size_t size)
{
    return (count + size - 1) / size;
}

static bool run_copy(struct request *r)
{
    uint64_t count = r->bytes / 2 / VECTOR;
    void *arguments[] = {&r->array[1], &r->array[0], &count};

    r->amount = 2.0 * VECTOR * (double)count;
    return launch(copy_kernel, pieces(count, COPIES * THREADS), arguments,
                  "the kernel that copies");
}

static bool run_memcpy(struct request *r)
{
    size_t bytes = r->bytes / 2 / VECTOR * VECTOR;

    r->amount = 2.0 * (double)bytes;
    return check(cuda.copy(r->array[1], r->array[0], bytes, stream),
                 "copying within the device");
}

static bool run_fma(struct request *r)
{
    static float factors = 0.5F, terms = 1;
    static double factord = 0.5, termd = 1;
    unsigned count = FMA_ITERATIONS;
    unsigned blocks = (unsigned)multiprocessors * FMA_BLOCKS;
    bool is_float = r->type == FLOAT;
    void *arguments[] = {&r->array[2],
                         is_float ? (void *)&factors : (void *)&factord,
                         is_float ? (void *)&terms : (void *)&termd, &count};

    r->amount = 2.0 * blocks * THREADS * CHAINS * UNROLLED * count;
    return launch(fma_kernel[r->type], blocks, arguments,
                  "the kernel of multiply-adds");
}

static bool run_blas(struct request *r)
{
    static const float alphas = 1.25F, betas = 0.75F, ones = 1, zeros = 0;
    static const double alphad = 1.25, betad = 0.75, oned = 1, zerod = 0;
    bool is_float = r->type == FLOAT;
    struct problem problem = {
        .blas = &blas,
        .handle = handle,
        .type = r->type,
        .alpha = is_float ? (const void *)&alphas : &alphad,
        .beta = is_float ? (const void *)&betas : &betad,
        .one = is_float ? (const void *)&ones : &oned,
        .zero = is_float ? (const void *)&zeros : &zerod,
    };
    int result;

    memcpy(problem.n, r->n, sizeof problem.n);
    memcpy(problem.array, r->array, sizeof problem.array);
    result = r->operation->call(&problem);
    return result == 0 ||
           fail(CALL_FAILED, "cuBLAS's %s in %s failed: status %d", r->what,
                TYPE[r->type], result);
}

static bool run_once(struct request *r)
{
    if (r->operation)
        return run_blas(r);
    if (!strcmp(r->what, "copy"))
        return run_copy(r);
    if (!strcmp(r->what, "memcpy"))
        return run_memcpy(r);
    return run_fma(r);
}

/* ---- Time -----------------------------------------------------------------
 */

static bool time_once(struct request *r, double *ms)
{
    float elapsed = 0;

    if (r->cold && !check(cuda.set_bytes(flushed, 0, flushed_bytes, stream),
                          "writing to the device"))
        return false;
    if (!check(cuda.stream_synchronize(stream), "waiting for the device") ||
        !check(cuda.event_record(from, stream), "recording an event") ||
        !run_once(r) ||
        !check(cuda.event_record(to, stream), "recording an event") ||
        !check(cuda.event_synchronize(to), "waiting for an event") ||
        !check(cuda.event_elapsed(&elapsed, from, to), "reading a time"))
        return false;
    *ms = (double)elapsed;
    return true;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Prints the line of a request whose arrays are there. */
static bool measure(struct request *r)
{
    double times[MOST_RUNS], ms = 0, total = 0;
    int count = 0;

    for (int i = 0; i < WARM_UP_RUNS || (i < MOST_RUNS && total < WARM_UP_MS);
         i++) {
        if (!time_once(r, &ms))
            return false;
        total += ms;
    }
    total = 0;
    while (count < LEAST_RUNS || (count < MOST_RUNS && total < MEASURED_MS)) {
        if (!time_once(r, &times[count]))
            return false;
        total += times[count++];
    }
    qsort(times, (size_t)count, sizeof *times, by_size);
    printf("figure what=%s type=%s sizes=%s cache=%s best_ms=%.6f "
           "median_ms=%.6f repetitions=%d amount=%.0f\n",
           r->what,
           r->operation || !strcmp(r->what, "fma") ? TYPE[r->type] : "-",
           r->sizes, r->cold ? "cold" : "warm", times[0], times[count / 2],
           count, r->amount);
    fflush(stdout);
    return true;
}

/* ---- One request ----------------------------------------------------------
 */

static bool make_array(struct request *r, int number, size_t count)
{
    uint64_t elements = count;
    void *arguments[] = {&r->array[number], &elements};

    if (count == 0)
        return true;
    return check(cuda.mem_alloc(&r->array[number], count * ELEMENT[r->type]),
                 "allocating device memory") &&
           launch(fill_kernel[r->type], pieces(count, THREADS), arguments,
                  "the kernel that fills arrays");
}

static bool make_arrays(struct request *r)
{
    size_t count[ARRAYS] = {0};

    if (r->operation)
        r->operation->elements(r->n, count);
    else if (!strcmp(r->what, "fma"))
        count[2] = (size_t)multiprocessors * FMA_BLOCKS * THREADS;
    else
        count[0] = count[1] = pieces(r->bytes / 2, sizeof(float));
    for (int i = 0; i < ARRAYS; i++)
        if (!make_array(r, i, count[i]))
            return false;
    return true;
}

static bool parse_sizes(struct request *r, int wanted)
{
    const char *at = r->sizes;

    for (int i = 0; i < wanted; i++) {
        char *end;
        long value = strtol(at, &end, 10);

        if (end == at || value < 1 || value > INT32_MAX ||
            *end != (i + 1 < wanted ? ',' : '\0'))
            return false;
        r->n[i] = (int)value;
        at = end + 1;
    }
    return true;
}

static bool parse_type(struct request *r, const char *word)
{
    for (r->type = 0; r->type < TYPES; r->type++)
        if (!strcmp(word, TYPE[r->type]))
            return true;
    return false;
}

static bool parse(const char *text, struct request *r)
{
    char type[16] = "", cache[8] = "warm", rest;
    char *end;
    int words;

    *r = (struct request){.sizes = "-"};
    if (sscanf(text, "%15s", r->what) != 1)
        return false;
    r->operation = find_operation(r->what);
    if (r->operation)
        words = sscanf(text, "%*s %15s %47s %7s %c", type, r->sizes, cache,
                       &rest) == 3 &&
                parse_type(r, type) && parse_sizes(r, r->operation->n_sizes);
    else if (!strcmp(r->what, "fma"))
        words = sscanf(text, "%*s %15s %c", type, &rest) == 1 &&
                parse_type(r, type);
    else if (!strcmp(r->what, "copy") || !strcmp(r->what, "memcpy"))
        words =
            sscanf(text, "%*s %47s %7s %c", r->sizes, cache, &rest) == 2 &&
            (r->bytes = strtoull(r->sizes, &end, 10)) >= (size_t)2 * VECTOR &&
            !*end;
    else
        words = 0;
    r->cold = !strcmp(cache, "cold");
    return words && (r->cold || !strcmp(cache, "warm"));
}

static bool answer(const char *text)
{
    struct request r;
    bool ok;

    if (!parse(text, &r))
        return fail(BAD_ARGUMENTS, "not a request: '%s'", text);
    if (r.operation && no_blas)
        return fail(NO_BLAS, "no cuBLAS: %s", no_blas);
    ok = make_arrays(&r) && measure(&r);
    for (int i = 0; i < ARRAYS; i++)
        if (r.array[i])
            cuda.mem_free(r.array[i]);
    return ok;
}

/* ---- Beginning ------------------------------------------------------------
 */

/* The whole file, with a zero at its end. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = calloc((size_t)size + 1, 1);
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (!text)
        fail(NO_HOST, "cannot read %s", path);
    return text;
}

static bool find(cu_module module, cu_function *function, const char *name)
{
    return check(cuda.module_function(function, module, name), name);
}

static bool load(const char *path)
{
    char *text = read_file(path);
    cu_module module = NULL;
    bool ok = text && check(cuda.module_load(&module, text, 0, NULL, NULL),
                            "loading the kernels");

    free(text);
    return ok && find(module, &copy_kernel, "peak_copy") &&
           find(module, &fma_kernel[FLOAT], "peak_fma_float") &&
           find(module, &fma_kernel[DOUBLE], "peak_fma_double") &&
           find(module, &fill_kernel[FLOAT], "peak_fill_float") &&
           find(module, &fill_kernel[DOUBLE], "peak_fill_double");
}

/* The first device, its context, and a stream with two events. */
static bool open_device(cu_device *device)
{
    const char *missing = cuda_open(&cuda);
    cu_context context = NULL;
    int count = 0;

    if (missing)
        return fail(NO_DRIVER, "%s", missing);
    if (cuda.init(0) != CU_OK || cuda.device_count(&count) != CU_OK ||
        count < 1 || cuda.device_get(device, 0) != CU_OK)
        return fail(NO_DEVICE, "no CUDA device");
    return check(cuda.context_retain(&context, *device),
                 "opening the device") &&
           check(cuda.context_set(context), "opening the device") &&
           check(cuda.stream_create(&stream, CU_STREAM_OWN_ORDER),
                 "creating a stream") &&
           check(cuda.event_create(&from, CU_EVENT_PLAIN),
                 "creating an event") &&
           check(cuda.event_create(&to, CU_EVENT_PLAIN), "creating an event");
}

/* An array several times as large as the cache. */
static bool make_flushed(int cache)
{
    size_t least = (size_t)256 << 20, wanted = (size_t)cache * 4;

    flushed_bytes = wanted > least ? wanted : least;
    return check(cuda.mem_alloc(&flushed, flushed_bytes),
                 "allocating device memory");
}

/* Without cuBLAS, or with one that does not start, no_blas says why. */
static int open_blas(void)
{
    int version = 0;

    no_blas = blas_open(&blas);
    if (!no_blas &&
        (blas.create(&handle) != 0 || blas.set_stream(handle, stream) != 0))
        no_blas = "it does not start";
    if (!no_blas)
        blas.version(handle, &version);
    return version;
}

static bool describe(cu_device device, int *cache)
{
    char name[128] = "?";
    int major = 0, minor = 0, driver = 0;

    if (!check(cuda.device_attribute(&major, CU_CAPABILITY_MAJOR, device),
               "asking the device") ||
        !check(cuda.device_attribute(&minor, CU_CAPABILITY_MINOR, device),
               "asking the device") ||
        !check(
            cuda.device_attribute(&multiprocessors, CU_MULTIPROCESSORS, device),
            "asking the device") ||
        !check(cuda.device_attribute(cache, CU_L2_BYTES, device),
               "asking the device") ||
        !check(cuda.device_name(name, sizeof name, device),
               "asking the device"))
        return false;
    cuda.driver_version(&driver);
    printf("device capability=%d%d multiprocessors=%d l2=%d driver=%d "
           "cublas=%d name=%s\n",
           major, minor, multiprocessors, *cache, driver, open_blas(), name);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    /* What would have cuBLAS compute with fewer bits. */
    static const char *const settings[] = {
        "NVIDIA_TF32_OVERRIDE", "CUBLAS_EMULATE_SINGLE_PRECISION",
        "CUBLAS_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATION_STRATEGY"};
    cu_device device;
    int cache = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: peak KERNELS.ptx REQUEST...\n");
        return BAD_ARGUMENTS;
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        unsetenv(settings[i]);
    if (!open_device(&device) || !describe(device, &cache) || !load(argv[1]) ||
        !make_flushed(cache))
        return status;
    for (int i = 2; i < argc; i++)
        answer(argv[i]);
    return status;
}
