/* heat.c - heat in a plate: time steps of three functions, arrays in a
 * structure behind a pointer, and a norm that is printed in every tenth step.
 *
 *   heat [N [STEPS]]      N x N values, 256 and 100 unless given
 *
 * Nothing in here is about GPUs.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct plate {
    int n;
    double *now, *next; /* n rows of n values */
    double *source;
};

/* The plate warms its neighbours. */
static void diffuse(struct plate *p)
{
    int n = p->n;
    double *now = p->now, *next = p->next;

    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            next[i * n + j] =
                0.25 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                        now[i * n + j - 1] + now[i * n + j + 1]);
}

/* The edges are as warm as what is next to them. */
static void insulate(struct plate *p)
{
    int n = p->n;
    double *next = p->next;

    for (int i = 1; i < n - 1; i++) {
        next[i * n] = next[i * n + 1];
        next[i * n + n - 1] = next[i * n + n - 2];
    }
    for (int j = 1; j < n - 1; j++) {
        next[j] = next[n + j];
        next[(n - 1) * n + j] = next[(n - 2) * n + j];
    }
}

/* Time goes on, and something heats the plate. */
static void advance(struct plate *p)
{
    int n = p->n;
    double *now = p->now, *next = p->next, *source = p->source;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            now[i * n + j] = next[i * n + j] + source[i * n + j];
}

static double norm(const struct plate *p)
{
    double largest = 0;

    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            largest = fmax(largest, fabs(p->now[i * p->n + j]));
    return largest;
}

static void simulate(struct plate *p, int steps)
{
    for (int t = 0; t < steps; t++) {
        diffuse(p);
        insulate(p);
        advance(p);
        if (t % 10 == 9)
            printf("step %3d: %.17g\n", t + 1, norm(p));
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256,
        steps = argc > 2 ? atoi(argv[2]) : 100;
    size_t size = (size_t)n * (size_t)n * sizeof(double);
    struct plate p = {n, malloc(size), malloc(size), malloc(size)};

    if (n < 3 || !p.now || !p.next || !p.source)
        return 1;
    for (int i = 0; i < n * n; i++) {
        p.now[i] = p.next[i] = i % 17;
        p.source[i] = i % 1001 == 0;
    }
    simulate(&p, steps);
    free(p.now);
    free(p.next);
    free(p.source);
    return 0;
}
