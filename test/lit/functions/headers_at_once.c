// Regions that begin in the header of a loop around them get one of their own,
// all of a function in one look at it: eight of them take two looks more than
// none, not eight.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -ftime-trace=%t.json -ftime-trace-granularity=0 -c %s -o %t.o
// RUN: %python -c "import json,sys; n=sum(e.get('name')=='PolyGPU: detection' for e in json.load(open(sys.argv[1]))['traceEvents']); print('looks:', n); sys.exit(not 0 < n < 8)" %t.json

int more(const double *a);

void sums(int n, double *a)
{
#define SUM(k)                                                                 \
    for (int t = 0; more(a); t++) {                                            \
        for (int i = 1; i < n; i++)                                            \
            a[i] += k * a[i - 1] + t;                                          \
    }
    SUM(1)
    SUM(2)
    SUM(3)
    SUM(4)
    SUM(5)
    SUM(6)
    SUM(7)
    SUM(8)
}
