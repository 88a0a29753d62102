// Coroutines that wait for each other in loops, with an array that lives on
// over suspensions.
#include <coroutine>
#include <exception>
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};
struct waiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const;
    float await_resume() const noexcept { return 1; }
};
task run(float *out, int n)
{
    float local[64];
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 64; i++)
            local[i] = co_await waiter{};
        for (int i = 0; i < 64; i++)
            out[i] = local[i] + 1;
    }
}
