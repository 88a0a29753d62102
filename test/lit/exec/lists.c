// Several results of an inner loop that runs as often as data say: forces from
// a list of neighbours, the nearest one of a row with its distance, steps until
// something converges with the value there.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop forces {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel forces_{{.*}} launches=3
// CHECK-DAG: polygpu: scop near {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel near_{{.*}} launches=3
// CHECK-DAG: polygpu: scop nearest {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel nearest_{{.*}} launches=3
// CHECK-DAG: polygpu: scop chained {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chained_{{.*}} launches=3
// CHECK-DAG: polygpu: scop converge {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel converge_{{.*}} launches=3
// CHECK-DAG: polygpu: scop eight {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel eight_{{.*}} launches=3
// CHECK-NOT: polygpu: scop nine
#include "exec.h"

#include <math.h>

enum { N = 300, MOST = 9 };

static int first[N + 1], list[N * MOST], count[N], place_of[N], steps[N];
static double at[3 * N], force[3 * N], values[N * MOST], out[9 * N];
static float mass[N], energy[N], root[N];

APART void forces(int n, const int *first, const int *list, const double *at,
                  double *force)
{
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = force[3 * i + 2];
        for (int k = first[i]; k < first[i + 1]; k++) {
            int j = list[k];
            double dx = at[3 * j] - at[3 * i];
            double dy = at[3 * j + 1] - at[3 * i + 1];
            double dz = at[3 * j + 2] - at[3 * i + 2];
            double q = dx * dx + dy * dy + dz * dz + 0.25;

            fx += dx / q;
            fy += dy / q;
            fz -= dz * q;
        }
        force[3 * i] += fx;
        force[3 * i + 1] = fy;
        force[3 * i + 2] = fz;
    }
}

// Numbers of different types, under a condition.
APART void near(int n, const int *first, const int *list, const double *at,
                const float *mass, int *count, float *energy)
{
    for (int i = 0; i < n; i++) {
        float e = 1;
        int c = 0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            double d = fabs(at[list[k]] - at[i]);

            if (d < 0.4) {
                e += mass[list[k]] * (float)d;
                c++;
            }
        }
        count[i] = c;
        energy[i] = e;
    }
}

APART void nearest(int n, const int *first, const int *list,
                   const double *values, int *place_of, double *out)
{
    for (int i = 0; i < n; i++) {
        double best = 1e30;
        int where = -1;
        for (int k = first[i]; k < first[i + 1]; k++)
            if (values[k] < best) {
                best = values[k];
                where = list[k];
            }
        place_of[i] = where;
        out[i] = best;
    }
}

// Each needs the other one of the iteration before.
APART void chained(int n, const int *first, const int *list, const double *at,
                   double *out)
{
    for (int i = 0; i < n; i++) {
        double s = out[i], t = 1;
        for (int k = first[i]; k < first[i + 1]; k++) {
            double next = 0.5 * t + at[list[k]];

            t = s - next;
            s = next;
        }
        out[i] = s * t;
    }
}

APART void converge(int n, const float *mass, int *steps, float *root)
{
    for (int i = 0; i < n; i++) {
        float y = 1;
        int k = 0;
        while (fabsf(y * y - mass[i]) > 1e-3f && k < 50) {
            y = 0.5f * (y + mass[i] / y);
            k++;
        }
        steps[i] = k;
        root[i] = y;
    }
}

#define UPDATE(N) s##N += values[k] * (N + 1);
#define STORE(N) out[9 * i + N] = s##N;

APART void eight(int n, const int *first, const double *values, double *out)
{
    for (int i = 0; i < n; i++) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            UPDATE(0)
            UPDATE(1) UPDATE(2) UPDATE(3) UPDATE(4) UPDATE(5) UPDATE(6)
                UPDATE(7)
        }
        STORE(0) STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7)
    }
}

// Each is in a register of its own: there is an end to that.
APART void nine(int n, const int *first, const double *values, double *out)
{
    for (int i = 0; i < n; i++) {
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        double s8 = 0;
        for (int k = first[i]; k < first[i + 1]; k++) {
            UPDATE(0)
            UPDATE(1) UPDATE(2) UPDATE(3) UPDATE(4) UPDATE(5) UPDATE(6)
                UPDATE(7) UPDATE(8)
        }
        STORE(0)
        STORE(1) STORE(2) STORE(3) STORE(4) STORE(5) STORE(6) STORE(7) STORE(8)
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

static void start(int n)
{
    first[0] = 0;
    for (int i = 0; i < n; i++) // every third one is empty
        first[i + 1] = first[i] + (i % 3 == 2 ? 0 : place(MOST));
    for (int k = 0; k < N * MOST; k++)
        list[k] = k < first[n] ? place(n) : -1;
    for (int k = 0; k < N * MOST; k++)
        values[k] = harness_random();
    for (int i = 0; i < 3 * N; i++) {
        at[i] = harness_random();
        force[i] = harness_random();
    }
    for (int i = 0; i < N; i++) {
        mass[i] = (float)harness_random();
        out[i] = harness_random();
    }
    poison(count, sizeof count);
    poison(place_of, sizeof place_of);
    poison(steps, sizeof steps);
    poison(energy, sizeof energy);
    poison(root, sizeof root);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 7, N};

    harness_start(argc, argv);
    for (int s = 0; s < 3; s++) {
        int n = sizes[s];

        start(n);
        forces(n, first, list, at, force);
        dump("force", force, sizeof force);
        near(n, first, list, at, mass, count, energy);
        dump("count", count, sizeof count);
        dump("energy", energy, sizeof energy);
        nearest(n, first, list, values, place_of, out);
        dump("place_of", place_of, sizeof place_of);
        dump("out", out, sizeof out);
        chained(n, first, list, at, out);
        dump("out", out, sizeof out);
        converge(n, mass, steps, root);
        dump("steps", steps, sizeof steps);
        dump("root", root, sizeof root);
        eight(n, first, values, out);
        dump("out", out, sizeof out);
        nine(n, first, values, out);
        dump("out", out, sizeof out);
        forces(0, NULL, NULL, NULL, NULL);
    }
    return harness_end();
}
