// Variables that hand a value on to the next iteration where it cannot be
// computed again, since the loop overwrites what it came from.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 700 };

static float a[MOST + 8], b[MOST + 8], c[MOST + 8];
static double d[MOST + 8];
static int numbers[MOST + 8];
static short signals[MOST + 8];
static float matrix[40 * 24];

// == values: handed on from the iteration before, which has overwritten them

SHAPE void differences(int n, float *x)
{
    float last = 0;

    for (int i = 0; i < n; i++) {
        float now = x[i];
        x[i] = now - last;
        last = now;
    }
}

SHAPE void delta(int n, int *x)
{
    int last = 0;

    for (int i = 0; i < n; i++) {
        int now = x[i];
        x[i] = now - last;
        last = now;
    }
}

SHAPE void emphasis(int n, short *x, short by, short *state)
{
    short last = *state;

    for (int i = 0; i < n; i++) {
        short now = x[i];
        x[i] = (short)(now - ((by * last) >> 15));
        last = now;
    }
    *state = last;
}

SHAPE void two_before(int n, float *x, float *state)
{
    float p = state[0], q = state[1];

    for (int i = 0; i < n; i++) {
        float now = x[i];
        x[i] = now - 0.75f * p + 0.5f * q;
        q = p;
        p = now;
    }
    state[0] = p;
    state[1] = q;
}

SHAPE void computed(int n, float *restrict x, const float *restrict y, float k)
{
    float last = k;

    for (int i = 0; i < n; i++) {
        float now = x[i] * k + y[i];
        x[i] = now - k * last;
        last = now;
    }
}

/* What is handed on is computed in the middle. */
SHAPE void in_the_middle(int n, float *restrict x, float *restrict y,
                         const float *restrict z)
{
    float s = 0;

    for (int i = 0; i < n; i++) {
        x[i] = s * z[i];
        s = y[i] + z[i];
        y[i] = x[i] + z[i + 1];
    }
}

SHAPE void moved_up(int n, double *x, double first)
{
    for (int i = n - 1; i >= 0; i--) {
        double now = x[i];
        x[i] = first;
        first = now;
    }
}

/* And what it will overwrite is read, too: copies of both. */
SHAPE void smoothed(int n, double *x)
{
    double last = x[0];

    for (int i = 1; i < n - 1; i++) {
        double now = x[i];
        x[i] = 0.25 * last + 0.5 * now + 0.25 * x[i + 1];
        last = now;
    }
}

SHAPE void smoothed_again(int n, int times, double *x)
{
    for (int t = 0; t < times; t++) {
        double last = x[0];

        for (int i = 1; i < n - 1; i++) {
            double now = x[i];
            x[i] = 0.25 * last + 0.5 * now + 0.25 * x[i + 1];
            last = now;
        }
    }
}

SHAPE void through_rows(int n, int m, float x[restrict n][m])
{
    float last = 2;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float now = x[i][j];
            x[i][j] = now * 2 - last;
            last = now;
        }
}

SHAPE void chosen(int n, float *restrict x, const float *restrict y)
{
    float last = 1;

    for (int i = 0; i < n; i++) {
        float now = y[i] > 0.25f ? x[i] : -y[i];
        x[i] = now - last;
        last = now;
    }
}

SHAPE float comes_out(int n, float *x)
{
    float last = 3;

    for (int i = 2; i < n; i += 2) {
        float now = x[i];
        x[i] = now * last;
        last = now;
    }
    return last;
}

/* What it becomes comes from what it was. */
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'last', 'x'); write results "
        "to an array that the loop does not read, or use one element per iteration "
        "instead of one scalar")
void filtered(int n, float *x, float k)
{
    float last = 0;

    for (int i = 0; i < n; i++) { // here
        last = x[i] - k * last;
        x[i] = last;
    }
}

static void run(int n)
{
    float state[2] = {n + 0.5f, -2};
    short memory = (short)(n * 7);

    for (int i = 0; i < MOST + 8; i++)
        signals[i] = (short)(harness_random() * 3000);
    FLOATS(a, differences(n, a));
    INTEGERS(numbers, delta(n, numbers));
    emphasis(n, signals, 20000, &memory);
    dump("signals", signals, sizeof signals);
    dump("memory", &memory, sizeof memory);
    FLOATS(a, two_before(n, a, state));
    dump("state", state, sizeof state);
    harness_fill(b, MOST + 8, sizeof *b);
    harness_fill(c, MOST + 8, sizeof *c);
    FLOATS(a, computed(n, a, b, 0.625f));
    FLOATS(b, in_the_middle(n, a, b, c));
    dump("a", a, sizeof a);
    FLOATS(d, moved_up(n, d, 5));
    FLOATS(d, smoothed(n, d));
    FLOATS(d, smoothed_again(n, 5, d));
    FLOATS(matrix, through_rows(n < 40 ? n : 40, 24, (void *)matrix));
    FLOATS(a, chosen(n, a, c));
    FLOATS(a, a[0] = comes_out(n, a));
    FLOATS(a, filtered(n, a, 0.5f));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(257);
    run(3);
    return harness_end();
}
