// plate.hpp - a plate that gets warm, for heat.cpp
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PLATE_HPP
#define PLATE_HPP

#include <vector>

class Plate {
public:
    explicit Plate(int n);
    void diffuse();  // the plate warms its neighbours
    void insulate(); // the edges are as warm as what is next to them
    void advance();  // time goes on, and something heats the plate
    double norm() const;

private:
    int n; // rows of n values
    std::vector<double> now, next, source;
};

#endif
