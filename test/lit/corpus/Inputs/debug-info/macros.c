// FLAGS: -g3 -gdwarf-5 -fdebug-macro
#define SIZE 40
#define SET(x) x[i][j] = SIZE
int grid[SIZE][SIZE];
void f(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            SET(grid);
}
