// Two pointers that a loop leaves in two ways, and that are read behind it: the
// blocks in front of that are split, of which LLVM makes one for both.  The
// compiler crashed on that, in code of wavpack's form.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s

// CHECK: two_exits.c:[[#@LINE+8]]:9: remark: loop not offloaded: the loop in line [[#@LINE+8]] has more than one exit
void last(int n, int m, const char *restrict a, const char *restrict b,
          char *restrict out)
{
    for (int i = 0; i < n; i++) {
        const char *s = a + i, *t = i & 1 ? b : a;
        int left = m;

        do {
            if (*s == ' ')
                s++;
            else if (*t == 'x' && left > 3)
                t++;
            else
                break;
        } while (--left);
        if (*s == 'y' && *t == 'z')
            out[i] = 1;
    }
}
