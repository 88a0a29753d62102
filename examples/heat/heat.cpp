// heat.cpp - heat.c as a class, in two files
//
//   heat [N [STEPS]]      N x N values, 256 and 100 unless given
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plate.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 256,
        steps = argc > 2 ? std::atoi(argv[2]) : 100;

    if (n < 3)
        return 1;
    Plate plate(n);
    for (int t = 0; t < steps; t++) {
        plate.diffuse();
        plate.insulate();
        plate.advance();
        if (t % 10 == 9)
            std::printf("step %3d: %.17g\n", t + 1, plate.norm());
    }
    return 0;
}
