// Lists, queues, deques, bits.
#include <bitset>
#include <deque>
#include <list>
#include <queue>
int f(int *a, int n)
{
    std::list<int> l;
    std::deque<int> d;
    std::priority_queue<int> q;
    std::bitset<128> b;
    for (int i = 0; i < n; i++) {
        l.push_front(a[i]);
        d.push_back(a[i]);
        q.push(a[i]);
        b[static_cast<unsigned>(i) & 127] = true;
    }
    l.sort();
    for (std::size_t i = 0; i < d.size(); i++)
        d[i] = static_cast<int>(i);
    for (unsigned i = 0; i < 128; i++)
        b.flip(i);
    return q.top() + l.front() + static_cast<int>(b.count());
}
