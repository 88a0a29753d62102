// Loops in functions of libraries are told of where the user calls these, and
// names are those of the source.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | grep remark: > %t.log
// RUN: %FileCheck %s --implicit-check-not=/include/ --implicit-check-not=_Z < %t.log
#include <algorithm>
#include <vector>

namespace field {
float edge[100];
float step(float);
} // namespace field

void named()
{
    // CHECK-DAG: library.cpp:[[@LINE+1]]:5: remark: {{.*}}(the loops write 'field::edge')
    for (int i = 0; i < 99; i++)
        field::edge[i + 1] = field::edge[i] * 0.5f;
}

void map(std::vector<float> &a)
{
    // CHECK-DAG: library.cpp:[[@LINE+1]]:5: remark: loop not offloaded: the call of 'field::step(float)' in line [[@LINE+2]] {{.*}}(the loop is in line {{[0-9]+}} of stl_algo.h, in a function of a library that is called here)
    std::transform(a.begin(), a.end(), a.begin(),
                   [](float x) { return field::step(x); });
}

void sort(std::vector<float> &a)
{
    // CHECK-DAG: library.cpp:[[@LINE+1]]:5: remark: loop not offloaded: {{.*}} of stl_algo.h, in a function of a library that is called here)
    std::sort(a.begin(), a.end());
}
