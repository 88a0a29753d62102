// Static locals with guards, constructors before main, thread locals.
struct table {
    int v[256];
    table()
    {
        for (int i = 0; i < 256; i++)
            v[i] = i * i;
    }
};
static table global;
thread_local table each;
int look(int n)
{
    static table once;
    int out[16];
    for (int i = 0; i < 16; i++)
        out[i] = once.v[i] + each.v[i] + global.v[n];
    return out[n & 15];
}
