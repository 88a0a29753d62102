// Characters and numbers in text.
#include <sstream>
#include <string>
#include <string_view>
std::string upper(std::string s)
{
    for (char &c : s)
        c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    for (std::size_t i = 0; i < s.size() / 2; i++)
        std::swap(s[i], s[s.size() - 1 - i]);
    return s;
}
int words(std::string_view text)
{
    int n = 0;
    for (std::size_t at = 0; (at = text.find(' ', at)) != text.npos; ++at)
        n++;
    return n;
}
std::string table(int n)
{
    std::ostringstream out;
    for (int i = 0; i < n; i++)
        out << i << ' ' << i * 0.5 << '\n';
    return out.str();
}
