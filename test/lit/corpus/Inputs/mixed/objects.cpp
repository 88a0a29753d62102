// C++: exceptions, virtual calls, containers, lambdas, coroutines, atomics,
// static initialisation.
#include <algorithm>
#include <array>
#include <atomic>
#include <coroutine>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <valarray>
#include <vector>

void may_throw(int);
int get();

void throwing(int *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        if (a[i] == 7)
            throw 3;
    }
}

int catching(int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        try {
            may_throw(i);
            a[i] = 2 * i;
        } catch (int x) {
            sum += x;
        } catch (...) {
            throw;
        }
    return sum;
}

struct Guard {
    int *a;
    ~Guard()
    {
        for (int i = 0; i < 20; i++)
            a[i] = 0;
    }
};

void unwinding(int *a, int n)
{
    Guard g{a};
    for (int i = 0; i < n; i++)
        a[i] = i;
    may_throw(n);
    for (int i = 0; i < n; i++)
        a[i] += i;
}

void no_throw(int *a, int n) noexcept
{
    for (int i = 0; i < n; i++) {
        a[i] = i;
        may_throw(i);
    }
}

struct Base {
    virtual int value(int) const = 0;
    virtual ~Base() = default;
};
struct Derived final : Base {
    int factor;
    explicit Derived(int f) : factor(f) {}
    int value(int x) const override { return x * factor; }
};

void virtual_calls(const Base &b, const Derived &d, int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = b.value(i);
    for (int i = 0; i < n; i++)
        a[i] += d.value(i);
}

void member_pointers(Derived *d, int Derived::*field, int n)
{
    for (int i = 0; i < n; i++)
        d[i].*field = i;
}

double containers(std::vector<double> &v, std::map<std::string, int> &m)
{
    for (auto &[key, value] : m)
        value += static_cast<int>(key.size());
    std::sort(v.begin(), v.end(), std::greater<>());
    for (size_t i = 0; i < v.size(); i++)
        v[i] = v.at(i) * 2;
    std::transform(v.begin(), v.end(), v.begin(), [](double x) { return x + 1; });
    return std::accumulate(v.begin(), v.end(), 0.0);
}

std::vector<std::vector<float>> product(const std::vector<std::vector<float>> &a,
                                        const std::vector<std::vector<float>> &b)
{
    std::vector<std::vector<float>> c(a.size(), std::vector<float>(b[0].size()));
    for (size_t i = 0; i < a.size(); i++)
        for (size_t j = 0; j < b[0].size(); j++)
            for (size_t k = 0; k < b.size(); k++)
                c[i][j] += a[i][k] * b[k][j];
    return c;
}

template <typename T, size_t N> std::array<T, N> twice(const std::array<T, N> &a)
{
    std::array<T, N> b;
    for (size_t i = 0; i < N; i++)
        b[i] = a[i] + a[i];
    return b;
}
template std::array<int, 50> twice(const std::array<int, 50> &);
template std::array<std::string, 3> twice(const std::array<std::string, 3> &);
template std::array<bool, 9> twice(const std::array<bool, 9> &);

void lambdas(std::function<void(int)> f, float *a, int n)
{
    auto each = [&](auto g) {
        for (int i = 0; i < n; i++)
            g(i);
    };
    each([&](int i) { a[i] = 1; });
    each(f);
}

std::valarray<double> expressions(const std::valarray<double> &a)
{
    return a * a + 3.0 * std::sqrt(a);
}

struct Task {
    struct promise_type {
        int value;
        Task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v)
        {
            value = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

Task counter(int n, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        co_yield a[i];
}

int drive(int *a)
{
    Task t = counter(10, a);
    int sum = 0;
    while (!t.handle.done()) {
        t.handle.resume();
        sum += t.handle.promise().value;
    }
    t.handle.destroy();
    return sum;
}

static int dynamic[100];
static const int initialised = [] {
    for (int i = 0; i < 100; i++)
        dynamic[i] = get() + i;
    for (int i = 0; i < 100; i++)
        dynamic[i] *= 2;
    return 1;
}();

int once(int n)
{
    static std::vector<int> table = [&] {
        std::vector<int> t(100);
        for (int i = 0; i < 100; i++)
            t[i] = i * n;
        return t;
    }();
    thread_local int cache[10] = {get()};
    for (int i = 0; i < 10; i++)
        cache[i] += table[i] + initialised;
    return cache[n % 10];
}

void counters(std::atomic<int> *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i].fetch_add(1, std::memory_order_relaxed);
}

std::unique_ptr<float[]> make(int n)
{
    auto p = std::make_unique<float[]>(n);
    for (int i = 0; i < n; i++)
        p[i] = 1.5f * i;
    return p;
}

std::string text(const std::vector<std::string> &words)
{
    std::string all;
    for (const auto &w : words) {
        for (char c : w)
            all += c == 'a' ? 'b' : c;
        all += ' ';
    }
    return all;
}

struct Odd {
    char c;
    double d;
    bool b;
    short s[3];
};

void structs(Odd *a, const Odd *b, int n)
{
    for (int i = 0; i < n; i++) {
        a[i].d = b[i].d * 2;
        a[i].b = !b[i].b;
        a[i].s[1] = b[i].s[2];
        a[i].c = b[n - 1 - i].c;
    }
}

void references(int &n, int *a, bool *b)
{
    for (int i = 0; i < n; i++)
        a[i] = 3;
    for (int i = 0; i < n; i++)
        b[i] = a[i] > 3;
}
