// Virtual calls in loops, members as bounds and arrays, multiple inheritance.
struct shape {
    virtual ~shape() = default;
    virtual double area(int i) const = 0;
};
struct other {
    int n;
    double *data;
};
struct square final : other, shape {
    double side[64];
    double area(int i) const override { return side[i] * side[i]; }
    void fill()
    {
        for (int i = 0; i < n; i++)
            data[i] = area(i & 63);
        for (int i = 0; i < 64; i++)
            side[i] = 2;
    }
};
void sum(shape **s, double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = s[i]->area(i);
}
void run(square &s) { s.fill(); }
