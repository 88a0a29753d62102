// Handlers, destructors and rethrowing in and around loops.
#include <stdexcept>
void use(int);
int count(int *a, int n)
{
    int caught = 0;
    for (int i = 0; i < n; i++)
        try {
            use(i);
            a[i] = i;
        } catch (const std::runtime_error &) {
            caught++;
        } catch (int e) {
            if (e < 0)
                throw;
            break;
        }
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    return caught;
}
