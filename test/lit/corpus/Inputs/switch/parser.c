/* Switches of a scanner, with ranges and nested ones. */
int scan(const char *s, int *kinds, int n)
{
    int depth = 0;
    for (int i = 0; i < n; i++)
        switch (s[i]) {
        case '0' ... '9':
            kinds[i] = 1;
            break;
        case 'a' ... 'z':
        case 'A' ... 'Z':
        case '_':
            kinds[i] = 2;
            break;
        case '(':
            depth++;
            break;
        case ')':
            switch (--depth) {
            case -1:
                return -1;
            case 0:
                kinds[i] = 4;
            }
            break;
        default:
            kinds[i] = 0;
        }
    for (int i = 0; i < n; i++)
        kinds[i] += depth;
    return depth;
}
void modes(float *a, int mode, int n)
{
    for (int i = 0; i < n; i++)
        switch (mode) {
        case 0: a[i] = 0; break;
        case 1: a[i] *= 2; break;
        case 2: a[i] = -a[i]; break;
        }
}
