// Owned arrays and shared objects.
#include <memory>
#include <optional>
#include <variant>
std::unique_ptr<float[]> make(int n)
{
    auto p = std::make_unique<float[]>(n);
    for (int i = 0; i < n; i++)
        p[i] = static_cast<float>(i);
    return p;
}
struct node {
    std::shared_ptr<node> next;
    int data[16];
};
void walk(std::shared_ptr<node> p)
{
    for (; p; p = p->next)
        for (int i = 0; i < 16; i++)
            p->data[i] = i;
}
double pick(const std::variant<int, double> *v, std::optional<int> *o, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += std::visit([](auto x) { return static_cast<double>(x); }, v[i]);
        o[i] = i % 2 ? std::optional<int>(i) : std::nullopt;
    }
    return sum;
}
