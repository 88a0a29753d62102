/* An interpreter whose steps call each other, one with a loop. */
typedef long step(const unsigned char *code, long *stack, long top);
static step add, fill, stop;
static step *const table[] = {add, fill, stop};
#define NEXT __attribute__((musttail)) return table[*code](code + 1, stack, top)
static long add(const unsigned char *code, long *stack, long top)
{
    stack[top - 2] += stack[top - 1];
    top--;
    NEXT;
}
static long fill(const unsigned char *code, long *stack, long top)
{
    for (long i = 0; i < 32; i++)
        stack[top + i] = i;
    top += 32;
    NEXT;
}
static long stop(const unsigned char *code, long *stack, long top)
{
    return stack[top - 1] + code[0];
}
long run(const unsigned char *code, long *stack)
{
    return table[*code](code + 1, stack, 0);
}
