/* Control flow: switch, irreducible graphs, infinite loops, computed goto,
 * setjmp, recursion, tail calls, loops with several exits. */
#include <setjmp.h>
#include <stdlib.h>

void use(int);
int get(void);

int switch_in_loop(const int *a, int n, int *b)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        switch (a[i] & 7) {
        case 0:
            b[i] = 1;
            break;
        case 1:
            sum += i;
            /* fall through */
        case 2:
            b[i] = sum;
            continue;
        case 5:
            return sum;
        default:
            b[i]--;
        }
    return sum;
}

void duff(char *to, const char *from, int n)
{
    int rounds = (n + 7) / 8;
    switch (n % 8) {
    case 0:
        do {
            *to++ = *from++;
        case 7:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--rounds > 0);
    }
}

void irreducible(int n, int *a)
{
    int i = 0;
    if (n & 1)
        goto middle;
top:
    a[i] = i;
middle:
    a[i + 1] += 2;
    if (++i < n)
        goto top;
    if (i < 2 * n)
        goto middle;
}

void forever(volatile int *flag)
{
    for (;;)
        *flag = 1;
}

void forever_array(int *a)
{
    for (unsigned i = 0;; i = (i + 1) % 100)
        a[i]++;
}

_Noreturn void spin(void)
{
    while (1)
        ;
}

int computed(const unsigned char *code, int *stack)
{
    static const void *const labels[] = {&&add, &&push, &&end};
    int top = 0;
    goto *labels[*code++];
add:
    stack[top - 2] += stack[top - 1];
    top--;
    goto *labels[*code++];
push:
    for (int i = 0; i < 10; i++)
        stack[top + i] = i;
    top++;
    goto *labels[*code++];
end:
    return stack[0];
}

static jmp_buf here;

int with_setjmp(int *a, int n)
{
    volatile int tries = 0;
    if (setjmp(here))
        tries++;
    for (int i = 0; i < n; i++)
        a[i] = i * 2;
    if (tries < 3)
        longjmp(here, 1);
    return tries;
}

int factorial(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = n;
    return n < 2 ? 1 : n * factorial(n - 1, a);
}

int odd(unsigned n, int *a);
int even(unsigned n, int *a)
{
    for (unsigned i = 0; i < n; i++)
        a[i] = 0;
    if (n == 0)
        return 1;
    __attribute__((musttail)) return odd(n - 1, a);
}
int odd(unsigned n, int *a)
{
    if (n == 0)
        return 0;
    __attribute__((musttail)) return even(n - 1, a);
}

int many_exits(const int *a, int n, int m)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            if (a[i * m + j] == 3)
                goto out;
            if (a[i * m + j] == 4)
                return j;
            if (a[i * m + j] == 5)
                break;
        }
        if (get())
            abort();
    }
out:
    return 0;
}

void unreachable_after(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 7;
    __builtin_unreachable();
}

void undefined(int n, int *a)
{
    int never_set;
    for (int i = 0; i < n; i++)
        a[i] = never_set;
    for (int i = 0; i < never_set; i++)
        a[i] = i;
}

void no_body(int n)
{
    for (int i = 0; i < n; i++)
        ;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            ;
}

void nested_calls(int n, void (*f)(int))
{
    for (int i = 0; i < n; i++) {
        f(i);
        use(i);
    }
}

void deep(int n, int *a)
{
    for (int i = 0; i < n; i++)
     for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
       for (int l = 0; l < n; l++)
        for (int m = 0; m < n; m++)
         for (int o = 0; o < n; o++)
          for (int p = 0; p < n; p++)
           for (int q = 0; q < n; q++)
            for (int r = 0; r < n; r++)
             a[i + j + k + l + m + o + p + q + r]++;
}
