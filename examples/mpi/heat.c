/* heat.c - heat in a plate that several processes share: each has some of its
 * rows, and gets those beside them from its neighbours in every step.
 *
 *   mpirun -n P heat FILE [N [STEPS]]
 *
 * N x N values, 256 unless given, after 100 steps unless given, go to FILE;
 * they are the same whatever the number of processes.
 *
 * Nothing in here is about GPUs.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows first .. first + rows - 1 of n; "now" and "next" have one more before
 * them and one behind. */
struct part {
    int n, first, rows;
    double *now, *next;
};

/* The neighbours' rows come, and they get mine.  Beside the plate there is
 * nobody, and the edges stay as warm as they are. */
static inline void exchange(const struct part *p, int above, int below)
{
    int n = p->n, rows = p->rows;
    double *now = p->now;

    MPI_Sendrecv(now + n, n, MPI_DOUBLE, above, 0, now + (rows + 1) * n, n,
                 MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now + rows * n, n, MPI_DOUBLE, below, 1, now, n, MPI_DOUBLE,
                 above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rows from .. to - 1 of mine change. */
static inline void diffuse(const struct part *p, int from, int to)
{
    int n = p->n;
    double *now = p->now, *next = p->next;

    for (int i = from; i < to; i++)
        for (int j = 1; j < n - 1; j++)
            next[i * n + j] =
                0.5 * now[i * n + j] +
                0.125 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                         now[i * n + j - 1] + now[i * n + j + 1]);
    for (int i = from; i < to; i++)
        for (int j = 1; j < n - 1; j++)
            now[i * n + j] = next[i * n + j];
}

static void simulate(const struct part *p, int steps, int above, int below)
{
    int from = p->first == 0 ? 2 : 1;
    int to = p->first + p->rows == p->n ? p->rows : p->rows + 1;

    for (int t = 0; t < steps; t++) {
        exchange(p, above, below);
        diffuse(p, from, to);
    }
}

/* Process number "rank" of "processes" has about as many rows as each other. */
static int first_row(int n, int rank, int processes)
{
    return (int)((long)n * rank / processes);
}

static int make(struct part *p, int n, int rank, int processes)
{
    size_t size;

    p->n = n;
    p->first = first_row(n, rank, processes);
    p->rows = first_row(n, rank + 1, processes) - p->first;
    size = ((size_t)p->rows + 2) * (size_t)n;
    p->now = calloc(size, sizeof *p->now);
    p->next = calloc(size, sizeof *p->next);
    if (!p->now || !p->next || p->rows < 1)
        return 0;
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < n; j++)
            p->now[(i + 1) * n + j] = ((p->first + i) * 31 + j * 17) % 101;
    return 1;
}

/* The first process writes its rows, and those of the others as they come. */
static int write_plate(const char *name, struct part *p, int processes)
{
    size_t n = (size_t)p->n;
    FILE *file = fopen(name, "wb");
    size_t written =
        file ? fwrite(p->now + n, n * sizeof(double), (size_t)p->rows, file)
             : 0;
    double *row = malloc(n * sizeof *row);

    for (int rank = 1; row && rank < processes; rank++)
        for (int i = first_row(p->n, rank, processes);
             i < first_row(p->n, rank + 1, processes); i++) {
            MPI_Recv(row, p->n, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            written += file ? fwrite(row, n * sizeof(double), 1, file) : 0;
        }
    free(row);
    return file && fclose(file) == 0 && written == n;
}

static void send_rows(const struct part *p)
{
    for (int i = 1; i <= p->rows; i++)
        MPI_Send(p->now + i * p->n, p->n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 256,
        steps = argc > 3 ? atoi(argv[3]) : 100;
    int rank, processes, ok = 1;
    struct part p;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (argc < 2 || n < 3 || !make(&p, n, rank, processes)) {
        fprintf(stderr, "heat FILE [N [STEPS]], N at least the processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    simulate(&p, steps, rank > 0 ? rank - 1 : MPI_PROC_NULL,
             rank < processes - 1 ? rank + 1 : MPI_PROC_NULL);
    if (rank > 0)
        send_rows(&p);
    else
        ok = write_plate(argv[1], &p, processes);
    free(p.now);
    free(p.next);
    MPI_Finalize();
    return !ok;
}
