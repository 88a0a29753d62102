// The reason that a loop's number of iterations is not known is about the counter
// that it ends by, and not about another number that grows in it: a power of a
// base, as linear congruential generators jump ahead by, and a checksum.
//
// RUN: %clang_gpu -O3 -gline-tables-only -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s --implicit-check-not="'c'" --implicit-check-not="'sum'"

// CHECK: own_counter.c:[[@LINE+4]]:5: remark: loop not offloaded: {{.*}}: 'n' does not change by the same amount in each iteration
unsigned long jump(unsigned long seed, unsigned long n)
{
    unsigned long a = 2806196910506780709ul, c = 1, power = 1, sum = 0;
    while (n > 0) {
        if (n & 1) {
            power *= a;
            sum = sum * a + c;
        }
        c *= a + 1;
        a *= a;
        n >>= 1;
    }
    return power * seed + sum;
}
