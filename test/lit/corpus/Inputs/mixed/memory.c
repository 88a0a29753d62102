/* Memory: volatile and atomic accesses, inline assembly, bit fields, unions,
 * variable-length arrays, alloca, block copies, address spaces, odd integers. */
#include <alloca.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void use(void *);

void with_volatile(volatile int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void with_atomic(_Atomic int *a, int n)
{
    for (int i = 0; i < n; i++)
        atomic_fetch_add_explicit(&a[i], i, memory_order_relaxed);
    for (int i = 0; i < n; i++)
        atomic_store(&a[i], 3);
}

void with_fence(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        atomic_thread_fence(memory_order_seq_cst);
    }
}

void with_exchange(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        int old = 3;
        __atomic_compare_exchange_n(&a[i], &old, i, 0, 5, 5);
    }
}

void with_assembly(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        int x = a[i];
        __asm__("" : "+r"(x));
        a[i] = x;
        __asm__ volatile("" ::: "memory");
    }
}

int assembly_goto(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        __asm__ goto("" : : : : out);
        a[i] = 1;
    }
out:
    return 0;
}

struct bits {
    unsigned a : 3, b : 7;
    int c : 12;
    _Bool d : 1;
};

void bit_fields(struct bits *s, int n)
{
    for (int i = 0; i < n; i++) {
        s[i].b = (unsigned)i;
        s[i].c += s[i].a;
        s[i].d = !s[i].d;
    }
}

union either {
    float f;
    uint32_t u;
    char c[4];
};

void unions(union either *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i].f = (float)i;
        a[i].u ^= 0x80000000u;
        a[i].c[1] = 2;
    }
}

int variable_length(int n)
{
    int a[n], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    use(a);
    for (int i = 0; i < n; i++) {
        int b[i + 1];
        for (int j = 0; j <= i; j++)
            b[j] = a[j];
        use(b);
        sum += b[i];
    }
    return sum;
}

void alloca_in_loop(int n)
{
    for (int i = 0; i < n; i++) {
        char *p = alloca((size_t)i + 1);
        for (int j = 0; j <= i; j++)
            p[j] = (char)j;
        use(p);
    }
}

struct big {
    double x[40];
    char tag;
};

void copies(struct big *to, const struct big *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i];
    for (int i = 0; i < n; i++)
        memset(&to[i], 0, sizeof to[i]);
    for (int i = 0; i < n; i++)
        memmove(&to[i], &to[i + 1], sizeof to[i]);
}

void pointers(int **a, int n, int **b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[n - i];
    for (int i = 0; i < n; i++)
        *a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] == (int *)b)
            a[i] = 0;
}

struct list {
    struct list *next;
    int value;
};

int chase(const struct list *l, int *a)
{
    int n = 0;
    for (; l; l = l->next)
        a[n++] = l->value;
    return n;
}

void addresses(uintptr_t *a, int *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (uintptr_t)&b[i];
}

void wide(__int128 *a, const unsigned __int128 *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (__int128)(b[i] >> 3) * a[i];
}

void odd_widths(_BitInt(17) *a, unsigned _BitInt(90) *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] += 3;
        b[i] = b[i] * 5;
    }
}

_Thread_local int local[100];
extern _Thread_local int other[100];

void thread_local_arrays(int n)
{
    for (int i = 0; i < n; i++)
        local[i] = other[i] + 1;
}

extern int weak_array[100] __attribute__((weak));
static int hidden[100];

int *escape(int n)
{
    if (weak_array)
        for (int i = 0; i < n; i++)
            weak_array[i] = hidden[i];
    return hidden;
}

void segments(__attribute__((address_space(256))) int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void allocate(int n, char **out)
{
    for (int i = 0; i < n; i++) {
        out[i] = malloc(10);
        free(out[i + n]);
    }
}

void hints(int n, float *restrict a, const float *restrict b)
{
    a = __builtin_assume_aligned(a, 64);
    __builtin_assume(n % 8 == 0);
    for (int i = 0; i < n; i++) {
        __builtin_prefetch(&b[i + 16]);
        a[i] = __builtin_expect(b[i] > 0, 1) ? b[i] : 0;
    }
    for (int i = 0; i < n; i++)
        __builtin_nontemporal_store(b[i], &a[i]);
}
