// Trees and hash tables.
#include <map>
#include <set>
#include <string>
#include <unordered_map>
int f(const int *a, int n, int *out)
{
    std::map<int, int> m;
    std::unordered_map<std::string, int> u;
    std::multiset<int> s;
    for (int i = 0; i < n; i++) {
        m[a[i]]++;
        u[std::to_string(a[i])] = i;
        s.insert(i);
    }
    int k = 0;
    for (const auto &[key, value] : m)
        out[k++] = key * value;
    for (int i = 0; i < k; i++)
        out[i] += 1;
    return k + static_cast<int>(u.size() + s.count(3));
}
