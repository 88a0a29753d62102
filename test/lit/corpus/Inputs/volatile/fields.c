/* Volatile members, bit fields and pointers to volatile. */
struct port {
    volatile unsigned status;
    unsigned data[16];
    volatile unsigned ready : 1, mode : 3;
};
void send(struct port *p, const unsigned *a, int n)
{
    for (int i = 0; i < n; i++) {
        while (!p->ready)
            ;
        p->data[i & 15] = a[i];
    }
    for (int i = 0; i < 16; i++)
        p->data[i] = 0;
}
void both(volatile float *v, float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = v[i];
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    for (float *volatile p = a; p != a + n; p++)
        *p = 0;
}
