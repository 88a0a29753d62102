// Threads, mutexes and atomics of the library.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable cv;
bool ready;
void work(float *a, int n, std::atomic<int> &done)
{
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([=, &done] {
            for (int i = t * n; i < (t + 1) * n; i++)
                a[i] = 1;
            done.fetch_add(1, std::memory_order_relaxed);
        });
    for (auto &t : threads)
        t.join();
    std::unique_lock<std::mutex> lock(m);
    cv.wait(lock, [] { return ready; });
    while (done.load() < 4)
        std::this_thread::yield();
}
