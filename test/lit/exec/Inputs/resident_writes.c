// Each function runs loops on an array, lets something write it that the
// compiler has to see coming, and runs the loops again.  A copy on the device
// that is not told of the write gives another result, in an array of its own
// for each function (-gpu-mutate=touch:all).
#include "exec.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200, SMALL = 40, STEPS = 3, FUNCTIONS = 24 };

static double of[FUNCTIONS][N]; /* a result for each */
static double other[N];         /* never what is in a result */

/* What is offloaded; "x" has one value more at each step. */
#define STEP(x)                                                                \
    for (int i = 0; i < N; i++)                                                \
    (x)[i] = (x)[i] * 0.5 + 1

/* Keeps the loops of a step apart from what follows; writes nothing. */
#define PART fprintf(stderr, "%d ", t)

APART void by_pointer(double *a, double *p)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        p[7 + t] = 100 + t;
    }
}

APART void by_loop(double *a, double *p, const int *where)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        for (int k = 0; where[k] >= 0; k++) // no counted loop
            p[where[k]] += t;
    }
}

APART void by_memcpy(double *a, const double *from, size_t bytes)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        memcpy(a + 10 * t, from, bytes); // as many elements: nobody says
    }
}

APART void by_memmove(double *a, size_t n)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        memmove(a + t, a + 50, n * sizeof *a);
    }
}

APART void by_print(char *a)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            a[i] = (char)(a[i] + 1);
        PART;
        snprintf(a + 5 + t, 20, "step %d", t);
    }
}

/* ---- Functions that are called ---- */

static double *known;
HOST void callee(int t) { known[3 + t] = 50 - t; }
static void (*volatile unknown)(int) = callee;

APART void by_call(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        callee(t);
    }
}

APART void by_unknown_call(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        unknown(t);
    }
}

static double global[N];
HOST void write_global(int t) { global[t] = -1; }

APART void by_call_of_global(void)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(global);
        write_global(t);
    }
}

HOST int compare(const void *l, const void *r)
{
    double a = *(const double *)l, b = *(const double *)r;
    return (a > b) - (a < b);
}

APART void by_sort(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            a[i] = i - a[i];
        qsort(a, N, sizeof *a, compare);
    }
}

APART void by_count(int *a)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 3 + 1;
        fprintf(stderr, "count%n\n", a + t);
    }
}

/* A stream that is memory. */
APART void by_stream(char *a)
{
    FILE *stream = fmemopen(a, N, "r+");
    for (int t = 0; stream && t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            a[i] = (char)(a[i] + 1);
        fprintf(stream, "step %d of some", t);
        fflush(stream);
    }
    if (stream)
        fclose(stream);
}

/* Not the C library's. */
static int called;
__attribute__((noinline, optnone)) void perror(const char *text)
{
    known[called++] = text[0];
}

APART void by_own_perror(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        perror("text");
    }
}

/* ---- Memory that is born again ---- */

/* Without touches (-DUNTOLD) results would be written to memory that is freed. */
#ifdef UNTOLD
static void *moved(void *old, size_t size)
{
    void *new = malloc(size);
    return memcpy(new, old, N * sizeof(double));
}
#define realloc moved
#define free(array) (void)(array)
#endif

/* Whether realloc moves it to where another array was is its own business. */
APART void by_realloc(double *result)
{
    double *a = calloc(N, sizeof *a);
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        a = realloc(a, (N + 10 * ((size_t)t + 1)) * sizeof *a);
    }
    memcpy(result, a, N * sizeof *a);
    free(a);
}

/* malloc gives the same memory again. */
APART void by_free(double *result)
{
    for (int t = 0; t < STEPS; t++) {
        double *a = malloc(100 * sizeof *a);
        for (int i = 0; other[i] != 0 && i < SMALL; i++) // no counted loop
            a[i] = other[i] + t;
        PART;
        for (int i = 0; i < SMALL; i++)
            result[i] += a[i] * (t + 1);
        if (a[t] == 0) // so that it is not dead after the loops
            PART;
        free(a);
    }
}

/* A variable of the step, in the same place of the frame each time. */
APART void by_frame(double *result)
{
    for (int t = 0; t < STEPS; t++) {
        double a[N];
        memcpy(a, other, sizeof a);
        a[t] = 5;
        known = a;
        unknown(0);
        STEP(a);
        PART;
        for (int i = 0; i < N; i++)
            result[i] += a[i] * (t + 1);
        unknown(1);
    }
}

/* ---- Others that write ---- */

HOST void *thread(void *a)
{
    for (int i = 0; i < N; i += 3)
        ((double *)a)[i] += 7;
    return NULL;
}

APART void by_thread(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        pthread_t id;
        STEP(a);
        if (!pthread_create(&id, NULL, thread, a))
            pthread_join(id, NULL);
    }
}

static atomic_int turn;
static double *shared_array;

HOST void *partner(void *unused)
{
    for (int t = 0; t < STEPS; t++) {
        while (atomic_load(&turn) != 2 * t + 1)
            ;
        shared_array[t + 11] = 1000;
        atomic_store(&turn, 2 * t + 2);
    }
    return unused;
}

/* No call says that somebody else writes. */
APART void by_turns(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        atomic_store_explicit(&turn, 2 * t + 1, memory_order_release);
        while (atomic_load_explicit(&turn, memory_order_acquire) != 2 * t + 2)
            ;
    }
}

APART void by_volatile(double *a, volatile double *p)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        PART;
        p[2 * t] = 3;
    }
}

APART void by_assembly(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        __asm__ volatile("movq $0, (%0)" : : "r"(a + t) : "memory");
    }
}

HOST void handler(int number)
{
    static int n;
    (void)number;
    known[9 + n++] = 17;
}

APART void by_signal(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        raise(SIGUSR1);
    }
}

static jmp_buf back;
static int left;

/* Comes back by longjmp out of the middle of the second call. */
NOINLINE static void steps_and_out(double *a)
{
    for (int t = 0; t < STEPS; t++) {
        STEP(a);
        if (t == 1 && left++ == 0)
            longjmp(back, 1);
    }
}

HOST void by_longjmp(double *a)
{
    if (setjmp(back))
        for (int i = 0; i < N; i += 2)
            a[i] += 3;
    steps_and_out(a);
}

int main(int argc, char **argv)
{
    static const int where[] = {3, 1, 4, 15, 92, 65, -1};
    static char text[N], stream[N];
    static int counts[N];
    double results[3][N] = {{0}};
    pthread_t id;
    int f = 0;

    harness_start(argc, argv);
    harness_fill(of, FUNCTIONS * N, sizeof(double));
    harness_fill(global, N, sizeof(double));
    harness_fill(other, N, sizeof(double));
    other[N - 1] = 0;
    by_pointer(of[f], of[f]), ++f;
    by_loop(of[f], of[f], where), ++f;
    by_memcpy(of[f], other, 20 * sizeof(double)), ++f;
    by_memmove(of[f], 20), ++f;
    known = of[f], by_call(of[f]), ++f;
    known = of[f], by_unknown_call(of[f]), ++f;
    by_call_of_global(), memcpy(of[f++], global, sizeof global);
    by_sort(of[f]), ++f;
    by_realloc(results[2]), memcpy(of[f++], results[2], sizeof results[2]);
    by_free(results[0]), memcpy(of[f++], results[0], SMALL * sizeof(double));
    by_frame(results[1]), memcpy(of[f++], results[1], sizeof results[1]);
    by_thread(of[f]), ++f;
    shared_array = of[f];
    if (pthread_create(&id, NULL, partner, NULL))
        return 1;
    by_turns(of[f]), ++f;
    pthread_join(id, NULL);
    by_volatile(of[f], of[f]), ++f;
    by_assembly(of[f]), ++f;
    known = of[f];
    signal(SIGUSR1, handler);
    by_signal(of[f]), ++f;
    by_longjmp(of[FUNCTIONS - 1]);
    known = of[f], by_own_perror(of[f]), ++f;
    by_print(text);
    by_stream(stream);
    by_count(counts);
    for (int k = 0; k < f; k++) {
        char name[16];
        snprintf(name, sizeof name, "result %d", k);
        dump_double(name, of[k], N);
    }
    dump_double("jumped", of[FUNCTIONS - 1], N);
    dump("text", text, sizeof text);
    dump("stream", stream, sizeof stream);
    dump("counts", counts, sizeof counts);
    return harness_end();
}
