// FLAGS: -fno-exceptions -fno-rtti
// The same shapes without exceptions, and with cleanups of locals.
struct guard {
    int *p;
    explicit guard(int *q) : p(q) { ++*p; }
    ~guard() { --*p; }
};
void f(int *a, int *depth, int n)
{
    for (int i = 0; i < n; i++) {
        guard g(depth);
        a[i] = i;
    }
    guard outer(depth);
    for (int i = 0; i < n; i++)
        a[i] += 3;
}
