/* Jumps into loops from outside, and out of two. */
void into(int *a, int n, int k)
{
    int i = 0;
    if (k)
        goto inside;
    for (i = 0; i < n; i++) {
        a[i] = 1;
    inside:
        a[i + n] = 2;
    }
    for (int j = 0; j < n; j++)
        a[j] += 4;
}
void coroutine_by_hand(int *state, int *a, int n)
{
    static int i;
    switch (*state) {
    case 0:
        for (i = 0; i < n; i++) {
            a[i] = i;
            *state = 1;
            return;
        case 1:;
        }
    }
    *state = 0;
}
