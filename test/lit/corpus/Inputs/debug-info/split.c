// FLAGS: -gsplit-dwarf -gdwarf-4 -ggnu-pubnames
struct deep { struct { union { float f; int i; } u[4]; } s[4]; };
void f(struct deep *d, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                d[k].s[i].u[j].f = 2;
}
