// FLAGS: -fsanitize=signed-integer-overflow,bounds,shift,null -fsanitize-trap=all
int table[64];
void f(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = table[i] + i;
    for (int i = 0; i < 64; i++)
        table[i] = 1 << i;
}
