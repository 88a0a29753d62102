// Function try blocks, noexcept functions, throwing constructors of arrays.
struct part {
    double v[10];
    part();
    ~part();
};
struct whole {
    part parts[5];
    double sum[10];
    whole() try {
        for (int i = 0; i < 10; i++)
            sum[i] = parts[0].v[i] + parts[1].v[i];
    } catch (...) {
    }
};
whole *make(int n) { return new whole[n]; }
void quiet(float *a, int n, void (*f)()) noexcept
{
    for (int i = 0; i < n; i++) {
        f();
        a[i] = 1;
    }
    for (int i = 0; i < n; i++)
        a[i] = 2;
}
