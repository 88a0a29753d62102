// Nests in a loop that are too much together are parted there: they run on the
// device one by one, and a remark at the loop around them says why it stays on
// the host.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     -Rpass-missed=gpu-polyhedral -fno-caret-diagnostics \
// RUN:     -mllvm -gpu-max-operations=2300000 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:3 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: :[[# @LINE + 20]]:13: remark: loops offloaded as 3 kernels: fluxes_
// REMARK-DAG: :[[# @LINE + 26]]:13: remark: loops offloaded as 1 kernel: fluxes_
// REMARK-DAG: :[[# @LINE + 28]]:13: remark: loops offloaded as 1 kernel: fluxes_
// REMARK-DAG: :[[# @LINE + 34]]:13: remark: loops offloaded as 1 kernel: fluxes_
// REMARK-DAG: :[[# @LINE + 15]]:9: remark: loop not offloaded: the analysis of these loops has {{.*}} operations
// CHECK-COUNT-4: scop fluxes {{.*}} declined=0 failed=0
// FAULT: injected fault: launch number 3 failed
#include "exec.h"

enum { M = 24 };

double flux[M][5], u[M][M][M][5], v[M][M][M][5];
double kept[M][M];

/* Fluxes of a line, and what they do to it, in two directions. */
NOINLINE static void fluxes(int n, double c)
{
    for (int k = 1; k < n - 1; k++) {
        kept[k][0] = u[k][1][1][0] * c;
        for (int j = 1; j < n - 1; j++) {
            for (int i = 0; i < n; i++) {
                double w = c * u[k][j][i][1];

                flux[i][0] = u[k][j][i][1];
                for (int m = 1; m < 5; m++)
                    flux[i][m] = w * u[k][j][i][m];
            }
            for (int i = 1; i < n - 1; i++)
                for (int m = 0; m < 5; m++)
                    v[k][j][i][m] -= c * (flux[i + 1][m] - flux[i - 1][m]);
            for (int i = 1; i < n; i++) {
                double w = 1.0 / u[k][j][i][0];

                flux[i][0] = w * (u[k][j][i][0] - u[k][j][i - 1][0]);
                flux[i][1] = w * (u[k][j][i][1] - u[k][j][i - 1][1]);
                flux[i][2] = w * (u[k][j][i][2] - u[k][j][i - 1][2]);
            }
            for (int i = 1; i < n - 1; i++) {
                v[k][j][i][0] += c * (flux[i + 1][0] - flux[i][0]);
                v[k][j][i][1] += c * (flux[i + 1][1] - flux[i][1]);
                v[k][j][i][2] += c * (flux[i + 1][2] - flux[i][2]);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {M, 7, 2, 12};

    harness_start(argc, argv);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < M * M * M * 5; i++) {
            (&u[0][0][0][0])[i] = 0.25 + harness_random();
            (&v[0][0][0][0])[i] = harness_random();
        }
        fluxes(sizes[s], 0.5 + harness_random());
        dump_double("v", &v[0][0][0][0], M * M * M * 5);
        dump_double("flux", &flux[0][0], M * 5);
        dump_double("kept", &kept[0][0], M * M);
    }
    return harness_end();
}
