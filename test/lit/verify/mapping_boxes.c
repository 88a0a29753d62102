// Errors planted in kernels whose blocks work on boxes in shared memory: a copy
// that is lost, to shared memory or back, or that is of other elements, a lost
// barrier, an access to another element or box. All are refused by pg_verify,
// but for two barriers of 'temporary', each of which separates what the other
// one does.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "kernels that were made for these loops would not do" \
// RUN:   domain,access,filter,sync,exchange,move,omit \
// RUN:   %if all %{230%} %else %{30 --most 1%} \
// RUN:   --harmless temporary:sync:1,temporary:sync:4 \
// RUN:   "-gpu-sizes={ kernel[i] -> tile[2]; kernel[i] -> block[32]; kernel[i] -> grid[2] }"

void matrices(int n, float a[n][20][20])
{
    for (int p = 0; p < n; p++)
        for (int k = 0; k < 20; k++) {
            for (int i = k + 1; i < 20; i++)
                a[p][i][k] /= a[p][k][k];
            for (int i = k + 1; i < 20; i++)
                for (int j = k + 1; j < 20; j++)
                    a[p][i][j] -= a[p][i][k] * a[p][k][j];
        }
}
/* elements that go in and back depend on the block */
void staircase(int n, int t, double a[n][40], double b[n][40])
{
    for (int p = 0; p < n; p++)
        for (int s = 0; s < t; s++) {
            for (int i = 0; i < 36; i++)
                if (i >= p)
                    b[p][i] = a[p][i] + a[p][i + 1];
            for (int i = 0; i < 36; i++)
                if (i >= p)
                    a[p][i + 1] = 0.5 * b[p][i];
        }
}
/* two groups of one array; a third that is only read */
void halves(int n, int t, float a[n][64], float c[36])
{
    for (int p = 0; p < n; p++)
        for (int s = 0; s < t; s++) {
            for (int i = 0; i < 30; i++)
                a[p][i] = a[p][i + 34] * c[29 - i];
            for (int i = 0; i < 30; i++)
                a[p][i + 34] = a[p][29 - i] * c[i] + c[i + 1];
        }
}
/* between each other; bounds of the second are not known but by the array */
void red_black(int n, int t, float a[n][48])
{
    for (int p = 0; p < n; p++)
        for (int s = 0; s < t; s++) {
            for (int i = 0; i < 20; i++)
                a[p][2 * i + 1] = (a[p][2 * i] + a[p][2 * i + 2]) / 2;
            for (int i = 1; i < 20; i++)
                a[p][2 * i] = (a[p][2 * i - 1] + a[p][2 * i + 1]) / 2;
        }
}
void unknown(int n, int t, int m, float a[n][48], float b[n][48])
{
    for (int p = 0; p < n; p++)
        for (int s = 0; s < t; s++) {
            for (int i = 1; i < m; i++)
                b[p][i] = a[p][m - i] * 0.5f + a[p][i];
            for (int i = 1; i < m; i++)
                a[p][i] = b[p][m - i];
        }
}
/* one value is dead afterwards */
void temporary(int n, int t, float a[n][40])
{
    for (int p = 0; p < n; p++) {
        float b[40];
        for (int i = 0; i < 40; i++)
            b[i] = a[p][39 - i];
        for (int s = 0; s < t; s++) {
            for (int i = 1; i < 39; i++)
                a[p][i] = b[i - 1] + b[i + 1];
            for (int i = 1; i < 39; i++)
                b[i] = a[p][39 - i];
        }
    }
}
