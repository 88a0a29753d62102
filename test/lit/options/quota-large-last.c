/* A function of more than 100 blocks is looked at behind the others of its file,
 * wherever it stands.
 *
 * RUN: %clang_gpu -O1 -mllvm -gpu-offload -mllvm -gpu-targets=emulated -c %s \
 * RUN:   -o %t.o -Rpass=gpu-polyhedral 2>&1 | %FileCheck %s
 */
#define LOOP(x) \
    for (int i = 0; i < n; i++) \
        a[i] += (x);
#define LOOPS(x) LOOP(x) LOOP(x + 1) LOOP(x + 2) LOOP(x + 3)

void large(int n, float *a, int how)
{
    if (how & 1) { LOOPS(1) }
    if (how & 2) { LOOPS(5) }
    if (how & 4) { LOOPS(9) }
    if (how & 8) { LOOPS(13) }
    if (how & 16) { LOOPS(17) }
    if (how & 32) { LOOPS(21) }
    if (how & 64) { LOOPS(25) }
    if (how & 128) { LOOPS(29) }
    if (how & 256) { LOOPS(33) }
}

/* CHECK: [[@LINE+5]]:{{.*}} loops offloaded as 1 kernel
 * CHECK: quota-large-last.c:{{1[0-9]|2[0-9]}}:{{.*}} loops offloaded as
 */
void small(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
