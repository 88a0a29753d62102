// What about a condition, a subscript or a bound keeps loops on the host.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck %s
void place(int n, float *restrict a, const float *restrict b)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: a condition compares the address 'b', with null or another one
    for (int i = 0; i < n; i++) {
        float s = a[i];
        if (&b[i] < &a[n - i])
            s += b[i];
        a[i] = s;
    }
}

void square(int n, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}a subscript of 'a' in line [[@LINE+2]] {{.*}}(it multiplies two counters)
    for (int i = 0; i < n; i++)
        a[i * i] = 1;
}

void ends(int n, float *a)
{
    int i = 0;
    // CHECK: [[@LINE+1]]:5: {{.*}}whether it goes on depends on data, which is read from 'a'; use a loop with a bound
    while (a[i] > 0) {
        a[i] = -1;
        i++;
    }
}

void step(unsigned n, unsigned t, float *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}{{its counter|'i'}} changes by 't' and may wrap around; use a signed counter
    for (unsigned i = 0; i < n; i += t)
        a[i] = 1;
}

int fgetc(void *);
void skip(void *file)
{
    // CHECK: [[@LINE+1]]:5: remark: loop not offloaded: {{.*}}fgetc
    while (fgetc(file) != 10)
        ;
}

struct size {
    int n;
};
void bound(struct size *s, int *a)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}'s' is read again in each iteration, and a store or a call in the loop could change it; copy it
    for (int i = 0; i < s->n; i++)
        if (a[i] < i)
            s->n = i;
}

// What the loop itself writes cannot be copied before it.
void powers(double *restrict x, double *restrict power)
{
    // CHECK: [[@LINE+1]]:5: {{.*}}whether it goes on depends on data, which is read from 'x'; use a loop with a bound
    while (x[0] < 1) {
        x[0] *= 10;
        x[1] -= 1;
    }
    // CHECK: [[@LINE+2]]:5: {{.*}}whether it goes on depends on floating-point numbers; use a loop with a bound
    double y = *power;
    while (y > 0.5)
        y -= 1;
    *power = y;
    for (int i = 0; i < 3; i++)
        // CHECK: [[@LINE+1]]:9: {{.*}}whether it goes on depends on floating-point numbers; use a loop with a bound
        while (power[i] > 0.5)
            power[i] -= 1;
}

// Both stores are one behind the loop's head, of a value without a name.
struct ring {
    unsigned at, size;
    int rounds;
};
void settle(struct ring *r, unsigned at)
{
    r->at = at;
    // CHECK: [[@LINE+1]]:5: {{.*}}its counter changes by 'the value loaded from r' and may wrap around; use a signed counter
    while (r->at >= r->size) {
        r->rounds++;
        r->at -= r->size;
    }
}

// Signed, though the counter is made anew, in which that is not known any more.
int every_second(long rows, int width, const float *a, const int *c)
{
    int ok = 1, j = 0;
    // CHECK: [[@LINE+1]]:5: {{.*}} which is not known to have one sign; use a constant step, and multiply in the subscripts
    for (long i = 0; i < rows * width; i += 2 * width) {
        int count = 0;
        for (long k = i; k < i + width; k++)
            if (a[k] == 1)
                count++;
        ok = ok && count == c[j];
        j++;
    }
    return ok;
}
