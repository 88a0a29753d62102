// What docs/why.md says about arrays and subscripts, and that its cures help.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -c %s -o %t.o -DCURED -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=CURED %s \
// RUN:   --implicit-check-not='not offloaded'
#include <stdint.h>
#include <string.h>
#ifdef CURED
#define OR(bad, good) good
#else
#define OR(bad, good) bad
#endif
struct matrix {
    int rows, columns;
    float *x;
};
struct big {
    int x[100];
};

void volatile_one(int n, OR(volatile, ) int *a)
{
    // CHECK: [[@LINE+2]]:5: remark: loop not offloaded: a volatile or atomic access in line [[@LINE+3]] must stay where it is; use an ordinary variable
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void number(int n, OR(uintptr_t, int *) a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} an integer is turned into a pointer in line [[@LINE+3]]; index an array instead
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        OR(*(int *)(a + 4 * (i & ~1)), a[i]) = i;
}

void read_as_a_whole(int n, struct big *restrict a, const struct big *restrict b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} memory is copied or set as a block in line [[@LINE+4]] (memcpy, memset, or a structure assigned as a whole); copy the elements
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
#ifndef CURED
        a[i] = b[i];
#else
        for (int j = 0; j < 100; j++)
            a[i].x[j] = b[i].x[j];
#endif
}

void row_pointers(int n, char OR(***a, (*restrict a)[n][3]))
{
    // CHECK: [[@LINE+3]]:9: {{.*}} is read from 'a' in line [[@LINE+4]] again in each iteration, and a store in the loop could change it; copy it into a local variable before the loop, and use one contiguous array
    for (int i = 0; i < n; i++)
        // CURED: [[@LINE-1]]:5: remark: loops offloaded
        for (int j = 0; j < i; j++)
            a[i][j][0] = a[j][i][0];
}

void stride(struct matrix *m, int n, float *y)
{
    float *x = m->x;
    int columns = m->columns;
    (void)x, (void)columns;
    // CHECK: [[@LINE+2]]:5: {{.*}} is read from 'm' in line [[@LINE+4]] again in each iteration, under a condition on data or where a store could change it; copy it into a local variable before the loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        if (y[i] > 0)
            OR(m->x[i * m->columns], x[i * columns]) = 1;
}

struct list {
    struct list *next;
    int v[10];
};
void linked(int n, struct list *p, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} an array's address in line [[@LINE+3]] changes inside the loop (an array of pointers, or a pointer that is read again each time); copy the pointer
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        OR(p->v[3], a[i])++;
        OR(p = p->next, );
    }
}

void two_widths(int n, void *a, float *b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} array 'a' is accessed with different element types (float and char) or row sizes at the same place; use one type
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        ((OR(char, float) *)a)[i] = 1;
        ((float *)a)[i] = b[i];
    }
}

void two_types(int n, void *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} array 'a' is accessed with different element types (int and float); use one type
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        ((OR(float, int) *)a)[2 * i] = ((int *)a)[2 * i + 1] * 2;
}

void in_a_segment(int n, OR(__attribute__((address_space(256))), ) int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} array 'a' is in a special address space; use ordinary memory
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void wide_bound(OR(__int128, long) n, int *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} a size or bound is no integer of at most 64 bits; use int, long or size_t
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (OR(__int128, long) i = 0; i < n; i++)
        a[(long)i] = 1;
}

void wrong_rows(int n, float (*a)[OR(10, 100)])
{
    // CHECK: [[@LINE+3]]:9: {{.*}} a subscript in line [[@LINE+4]] is outside of its row for every size, by the rows that its address seems to have; give the array its real number of columns
    for (int i = 0; i < n; i++)
        // CURED: [[@LINE-1]]:5: remark: loops offloaded
        for (int j = 0; j < 100; j++)
            a[i][j] = 1;
}

void wraps(OR(unsigned, long) n, float *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} a subscript or a bound in line [[@LINE+2]] wraps around, or is used as a signed and as an unsigned number; use signed or size_t counters
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (OR(unsigned, long) i = OR(0, 6); i < 16; i++)
        a[i + OR(4294967290u, -6)] = 1;
}

void before_it(OR(unsigned, size_t) n, float *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the loops could not be modelled: the conditions under which they are regular exclude each other or are too complex; simplify bounds and subscripts
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (OR(unsigned, size_t) i = OR(0, 5); i < n; i++)
        a[i - 5] = 1;
}

void far(long *a)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} the loops' arithmetic may overflow 64 bits for every size; use smaller constants
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (long i = 0; i < 100; i++)
        a[i * OR(0x100000000000000, 0x100000)] = 1;
}

void read_and_written(int n, int *restrict a, int *restrict at,
                      const int *restrict b, int *restrict c)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} which elements an index may lead to is not known, since 'at' is written in the same loops; compute indices in loops before
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++) {
        a[i] = b[at[i]];
        OR(at, c)[i] = a[i];
    }
}

void histogram(int n, OR(float, int) *restrict a, const int *restrict at)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} which element of 'a' is updated in line [[@LINE+3]] depends on data, which is read from 'at', and two iterations may update the same one, and floating-point numbers round differently in another order; use integers
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[at[i]] += 1;
}

void numbered(int n, int *restrict a, const int *restrict at, int *restrict c)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} which element of 'a' is updated in line [[@LINE+3]] depends on data, which is read from 'at', and two iterations may update the same one, and the value before is used for something else, so that their order counts; use it in another loop
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        OR(c[i] = a[at[i]]++, c[i] = a[i]++);
}

void multiplied(int n, int *restrict a, const int *restrict at)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} which element of 'a' is updated in line [[@LINE+3]] depends on data, which is read from 'at', and two iterations may update the same one, and devices have no such atomic operation; add, subtract, or use &, |, ^, a minimum or a maximum
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[at[i]] OR(*=, +=) 3;
}

void addresses(int n, long *restrict a, char *p, const int *restrict at)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} which part of 'p' is accessed in line [[@LINE+3]] is computed in the loop, by something other than sums of counters and parameters (like % of a counter); use an array for each part, or exchange pointers
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = OR((long)(p + at[i]), at[i]);
}

void elsewhere(int n, int *restrict a, const int *restrict at,
               const int *restrict c, const int *restrict b)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} an element whose index is data is read under a condition on data, and what follows from it is used elsewhere; read the element and use it in one statement under the condition
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (int i = 0; i < n; i++)
#ifndef CURED
        if (c[i] > 0) {
            int t = b[at[i]];
            for (int j = 0; j < 10; j++)
                a[i * n + j] = t;
        }
#else
        if (c[i] > 0)
            a[i * n] = b[at[i]];
#endif
}

// The copy of a block reads and writes in one place of the source; the array is
// the one whose subscript it is.
void repeat(unsigned n, unsigned char *from, unsigned char *to)
{
    // CHECK: [[@LINE+2]]:5: {{.*}} a subscript of 'to' in line [[@LINE+3]] is no affine function of loop counters and parameters (it may wrap around in 32 bits)
    // CURED: [[@LINE+1]]:5: remark: loops offloaded
    for (OR(unsigned, size_t) i = 0; i < 3; i++)
        memcpy(&to[i * n], from, n);
}
