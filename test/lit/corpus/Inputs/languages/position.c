// FLAGS: -fPIC -ftls-model=global-dynamic -fvisibility=hidden -ffunction-sections -fcommon -flto=thin
int tentative[60];
extern int shared[60];
static _Thread_local int mine[60];
__attribute__((visibility("default"))) void f(void)
{
    for (int i = 0; i < 60; i++)
        shared[i] = tentative[i] + mine[i];
    for (int i = 0; i < 60; i++)
        tentative[i] = i;
}
