// plate.cpp - see plate.hpp
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plate.hpp"

#include <cmath>

Plate::Plate(int n) : n(n), now(n * n), next(n * n), source(n * n)
{
    double *now = this->now.data(), *next = this->next.data(),
           *source = this->source.data();

    for (int i = 0; i < n * n; i++) {
        now[i] = next[i] = i % 17;
        source[i] = i % 1001 == 0;
    }
}

void Plate::diffuse()
{
    int n = this->n;
    const double *now = this->now.data();
    double *next = this->next.data();

    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            next[i * n + j] =
                0.25 * (now[(i - 1) * n + j] + now[(i + 1) * n + j] +
                        now[i * n + j - 1] + now[i * n + j + 1]);
}

void Plate::insulate()
{
    int n = this->n;
    double *next = this->next.data();

    for (int i = 1; i < n - 1; i++) {
        next[i * n] = next[i * n + 1];
        next[i * n + n - 1] = next[i * n + n - 2];
    }
    for (int j = 1; j < n - 1; j++) {
        next[j] = next[n + j];
        next[(n - 1) * n + j] = next[(n - 2) * n + j];
    }
}

void Plate::advance()
{
    int n = this->n;
    double *now = this->now.data();
    const double *next = this->next.data(), *source = this->source.data();

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            now[i * n + j] = next[i * n + j] + source[i * n + j];
}

double Plate::norm() const
{
    double largest = 0;

    for (double value : now)
        largest = std::fmax(largest, std::fabs(value));
    return largest;
}
