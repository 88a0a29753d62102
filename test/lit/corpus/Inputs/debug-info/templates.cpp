// FLAGS: -g -fstandalone-debug -gkey-instructions
#include <vector>
template <class T> struct holder {
    std::vector<T> v;
    template <class F> void each(F f)
    {
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = f(v[i]);
    }
};
void use(holder<float> &h)
{
    h.each([](float x) { return x + 1; });
    float *p = h.v.data();
    for (int i = 0; i < 100; i++)
        p[i] *= 2;
}
