// A stand-in for LLVM's OpenMP runtime, on pthreads, which ThreadSanitizer knows:
// what the runtime asks for, in a new team for each parallel loop.  Debian's libomp
// is not compiled for that sanitizer, which then does not see who waits for whom.
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 64 };

struct member {
    void (*task)(int32_t *, int32_t *, void *);
    void *argument;
    int number;
};

static _Thread_local int inside, number;

int omp_get_max_threads(void)
{
    const char *wanted = getenv("OMP_NUM_THREADS");
    int threads = wanted ? atoi(wanted) : 4;

    return threads < 1 ? 1 : threads > MOST ? MOST : threads;
}

int omp_in_parallel(void)
{
    return inside;
}

int omp_get_thread_num(void)
{
    return number;
}

static void *run(void *of)
{
    struct member *member = of;
    int32_t id = member->number;

    inside = 1;
    number = member->number;
    member->task(&id, &id, member->argument);
    inside = number = 0;
    return NULL;
}

void __kmpc_fork_call(void *where, int32_t n, void (*task)(int32_t *, int32_t *, void *),
                      ...)
{
    struct member members[MOST];
    pthread_t threads[MOST];
    int count = omp_get_max_threads();
    va_list list;

    (void)where, (void)n;
    va_start(list, task);
    for (int i = 0; i < count; i++)
        members[i] = (struct member){task, i ? members[0].argument : va_arg(list, void *), i};
    va_end(list);
    for (int i = 1; i < count; i++)
        if (pthread_create(&threads[i], NULL, run, &members[i]))
            abort();
    run(&members[0]);
    for (int i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
}

#ifdef RACE
static void add(int32_t *global, int32_t *bound, void *to)
{
    (void)global, (void)bound;
    ++*(int *)to;
}

int main(void)
{
    int sum = 0;

    __kmpc_fork_call(NULL, 1, add, &sum);
    return sum == 0;
}
#endif
