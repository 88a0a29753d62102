// A loop calls a function that calls itself only if it is asked to: the loops are
// offloaded for runs in which it is not, with what else they call inlined.  If
// each iteration calls it, nothing is.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -c %s -o %t.o \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s
void write_line(const char *text);

static void note(int depth, const char *text)
{
    if (depth > 1)
        note(depth / 2, text);
    write_line(text);
    if (depth > 3)
        note(depth - 2, text);
}

static float size(const float *x, int n)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        s += x[k] * x[k];
    return s < 1 ? 1 : s;
}

void asked(int n, int m, float y[n], float x[n][m], int talk)
{
    // CHECK: [[@LINE+1]]:5: remark: loops offloaded as 1 kernel: asked_
    for (int i = 0; i < n; i++) {
        y[i] = size(x[i], m);
        if (talk)
            note(i, "row");
    }
}

void always(int n, int m, float y[n], float x[n][m])
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: the call of 'size' in line [[@LINE+2]] is not inlined, since the same loop calls 'note', which calls itself; move that call out of the loop
    for (int i = 0; i < n; i++) {
        y[i] = size(x[i], m);
        note(i, "row");
    }
}
