/* Extended assembly: outputs, memory, labels, flags. */
void cycles(unsigned long *t, float *a, int n)
{
    unsigned lo, hi;
    __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
    t[0] = lo | (unsigned long)hi << 32;
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    __asm__ volatile("mfence" ::: "memory");
    for (int i = 0; i < n; i++)
        __asm__("addl %1, %0" : "+r"(((int *)a)[i]) : "r"(i) : "cc");
}
int carry(unsigned *a, int n)
{
    for (int i = 0; i < n; i++) {
        _Bool c;
        __asm__("addl $1, %0" : "+m"(a[i]), "=@ccc"(c));
        if (c)
            return i;
    }
    __asm__ goto("jmp %l0" : : : : done);
    for (int i = 0; i < n; i++)
        a[i] = 3;
done:
    return n;
}
__asm__(".text");
