/* Functions that want to be treated in another way, and odd linkage. */
#define A(...) __attribute__((__VA_ARGS__))

#define LOOP(a, n)                                                             \
    for (int i = 0; i < (n); i++)                                              \
    (a)[i] = (a)[i] * 2 + i

void plain(int *a, int n) { LOOP(a, n); }
A(optnone) A(noinline) void is_optnone(int *a, int n) { LOOP(a, n); }
A(minsize) void is_minsize(int *a, int n) { LOOP(a, n); }
A(cold) void is_cold(int *a, int n) { LOOP(a, n); }
A(weak) void is_weak(int *a, int n) { LOOP(a, n); }
A(always_inline) static inline void is_inlined(int *a, int n) { LOOP(a, n); }
A(flatten) void is_flat(int *a, int n) { is_inlined(a, n); plain(a, n); }
A(target("avx2")) void is_avx2(int *a, int n) { LOOP(a, n); }
A(no_sanitize("address")) void not_sanitized(int *a, int n) { LOOP(a, n); }
A(section("other")) void in_section(int *a, int n) { LOOP(a, n); }
A(visibility("hidden")) void is_hidden(int *a, int n) { LOOP(a, n); }
A(preserve_most) void other_convention(int *a, int n) { LOOP(a, n); }
A(ms_abi) void windows(int *a, int n) { LOOP(a, n); }
A(pure) int is_pure(const int *a, int n)
{
    int b[100], sum = 0;
    for (int i = 0; i < 100; i++)
        b[i] = a[i] + n;
    for (int i = 0; i < 100; i++)
        sum ^= b[i];
    return sum;
}
A(const) int is_const(int n)
{
    int b[64];
    for (int i = 0; i < 64; i++)
        b[i] = i * n;
    return b[n & 63];
}
inline void is_available(int *a, int n) { LOOP(a, n); }
void uses_available(int *a, int n) { is_available(a, n); }
A(naked) void is_naked(void) { __asm__("ret"); }
A(interrupt) A(target("general-regs-only")) void is_interrupt(void *frame)
{
    (void)frame;
    static int a[50];
    LOOP(a, 50);
}
A(ifunc("resolve")) void dispatched(int *a, int n);
static void (*resolve(void))(int *, int) { return plain; }
void same(int *a, int n) A(alias("plain"));

struct pair { int *a; int n; };
void by_value(struct pair p) { LOOP(p.a, p.n); }
struct large { int a[60]; int n; };
int large_by_value(struct large l)
{
    LOOP(l.a, l.n);
    return l.a[7];
}
struct large returned(int n)
{
    struct large l = {{0}, n};
    LOOP(l.a, l.n);
    return l;
}
void nonnull(int *restrict a, int n) A(nonnull(1));
void nonnull(int *restrict a, int n) { LOOP(a, n); }
A(returns_nonnull) int *gives_back(int *a, int n)
{
    LOOP(a, n);
    return a + n;
}
int named_loops(int *a, int n)
{
#pragma clang loop vectorize(disable) unroll_count(4)
    LOOP(a, n);
#pragma clang loop distribute(enable)
    for (int i = 0; i < n; i++)
        a[i] -= 1;
#pragma unroll
    for (int i = 0; i < 5; i++)
        a[i] = 2;
    return 0;
}
int nested_functions(int n)
{
    static int a[10][10];
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            a[i][j] += is_const(n) + is_pure(a[0], i);
    return a[1][2];
}
A(constructor) static void at_start(void)
{
    static int a[40];
    LOOP(a, 40);
}
A(used, noinline) static void unused(int *a, int n) { LOOP(a, n); }
