// Pointers that a loop moves on in some iterations, or by different amounts.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s
void positive(int n, const int *from, int *to)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: the pointer 'to' in line [[@LINE+3]] does not move on by the same amount in each iteration; index an array by a counter that does, or compute places
    for (int i = 0; i < n; i++)
        if (from[i] > 0)
            *to++ = from[i];
}

void places(int n, const float *from, float *to)
{
    // CHECK: [[@LINE+1]]:5: {{.*}} the pointer {{.*}} does not move on by the same amount
    for (int i = 0; i < n; i++)
        if (from[i] > 0) {
            to[0] = from[i];
            to[1] = (float)i;
            to += 2;
        }
}

struct point {
    struct point *next;
    float x;
};

// Read from memory: no pointer that moves on.
void chain(int n, struct point *p)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: an array's address in line [[@LINE+2]] changes inside the loop
    for (int i = 0; i < n; i++) {
        p->x = 1;
        p = p->next;
    }
}
