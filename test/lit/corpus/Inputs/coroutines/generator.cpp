// A generator whose body has loops.
#include <coroutine>
struct generator {
    struct promise_type {
        int value = 0;
        generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
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
generator count(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        co_yield a[i];
}
int drive(int *a, int n)
{
    generator g = count(a, n);
    int sum = 0;
    for (g.handle.resume(); !g.handle.done(); g.handle.resume())
        sum += g.handle.promise().value;
    for (int i = 0; i < n; i++)
        a[i] = 2;
    g.handle.destroy();
    return sum;
}
