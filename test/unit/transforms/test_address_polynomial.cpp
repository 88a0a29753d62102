//===- test_address_polynomial.cpp - Addresses as sums of products --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random polynomials of four variables, whose values at random points have to
// be what the same operation makes of the values of the operands, modulo 2^64;
// and single rules.
//
//===----------------------------------------------------------------------===//

#include "AddressPolynomial.h"
#include <cstdint>
#include <cstdio>
#include <random>

namespace {

const int Variables[4] = {};
using Polynomial = polygpu::AddressPolynomial<const int *>;
using Term = Polynomial::Term;
const int *const X = Variables, *const Y = Variables + 1,
                 *const Z = Variables + 2;

unsigned Failures;

void expect(bool Ok, const char *What) {
  if (Ok)
    return;
  printf("FAIL %s\n", What);
  ++Failures;
}

bool isTerm(const Term &T, std::initializer_list<const int *> Expected,
            int64_t Factor) {
  return T.Factor == Factor && T.Variables.size() == Expected.size() &&
         std::equal(Expected.begin(), Expected.end(), T.Variables.begin());
}

//===-- Random polynomials ------------------------------------------------===//

std::mt19937_64 Random(1);

/// Mostly small, and some at the ends of 64 bits.
int64_t number() {
  switch (Random() % 8) {
  case 0:
    return INT64_MIN + static_cast<int64_t>(Random() % 2);
  case 1:
    return static_cast<int64_t>(Random());
  default:
    return static_cast<int64_t>(Random() % 9) - 4;
  }
}

Polynomial polynomial(unsigned MaxTerms, unsigned MaxDegree) {
  Polynomial P;
  for (auto Terms = Random() % (MaxTerms + 1); Terms > 0; --Terms) {
    Term T = {{}, number()};
    for (auto Degree = Random() % (MaxDegree + 1); Degree > 0; --Degree)
      T.Variables.push_back(Variables + Random() % 4);
    P.add(T);
  }
  return P;
}

uint64_t value(const Polynomial &P, const uint64_t *Point) {
  uint64_t Sum = 0;
  for (const Term &T : P.terms()) {
    auto Product = static_cast<uint64_t>(T.Factor);
    for (const int *V : T.Variables)
      Product *= Point[V - Variables];
    Sum += Product;
  }
  return Sum;
}

/// The same with terms and variables the other way round.
Polynomial reversed(const Polynomial &P) {
  Polynomial Result;
  for (Term T : llvm::reverse(P.terms())) {
    std::reverse(T.Variables.begin(), T.Variables.end());
    Result.add(T);
  }
  return Result;
}

bool isNormal(const Polynomial &P) {
  Polynomial Again;
  for (const Term &T : P.terms()) {
    size_t Before = Again.terms().size();
    Again.add(T);
    if (T.Factor == 0 || Again.terms().size() != Before + 1)
      return false;
  }
  return true;
}

void checkDivision(const Polynomial &P, const Polynomial &Divisor,
                   const uint64_t *Point) {
  auto Division = P.divide(Divisor);
  expect(!Division || !Divisor.isZero(), "no division by 0");
  if (!Division)
    return;
  auto &[Quotient, Rest] = *Division;
  expect(value(P, Point) == value(Quotient, Point) * value(Divisor, Point) +
                                value(Rest, Point),
         "quotient * divisor + rest");
  expect(isNormal(Quotient) && isNormal(Rest), "division: normal form");
}

void checkRandom() {
  Polynomial A = polynomial(6, 3), B = polynomial(6, 3);
  Polynomial Sum = A, Difference = A, Scaled = A, Product = A;
  uint64_t Point[4];
  for (uint64_t &V : Point)
    V = static_cast<uint64_t>(number());
  uint64_t AtA = value(A, Point), AtB = value(B, Point);
  int64_t Factor = number();

  Sum += B;
  expect(value(Sum, Point) == AtA + AtB, "sum");
  Difference -= B;
  expect(value(Difference, Point) == AtA - AtB, "difference");
  Scaled.add(B, {{Y}, Factor});
  expect(value(Scaled, Point) ==
             AtA + AtB * Point[1] * static_cast<uint64_t>(Factor),
         "multiple added");
  expect(Product.multiply(B), "product");
  expect(value(Product, Point) == AtA * AtB, "product's value");
  for (const Polynomial *P : {&A, &Sum, &Difference, &Scaled, &Product})
    expect(isNormal(*P), "normal form");
  Difference += B;
  expect(Difference == A, "a - b + b = a");
  expect(reversed(Sum) == Sum, "order does not matter to ==");
  expect(hash_value(reversed(Sum)) == hash_value(Sum), "nor to the hash");
  Sum.add({{Z}, 1});
  expect(!(reversed(Sum) == A) || B == Polynomial({{Z}, -1}), "a + b + z");
  checkDivision(A, B, Point);
  checkDivision(Product, B, Point);
}

//===-- Single rules ------------------------------------------------------===//

void checkOrder() {
  Polynomial P({{X}, 1});
  P.add({{Y}, 2});
  P.add({{}, 3});
  P.add({{X}, -1});
  P.add({{X}, 5});
  expect(P.terms().size() == 3 && isTerm(P.terms()[0], {Y}, 2) &&
             isTerm(P.terms()[1], {}, 3) && isTerm(P.terms()[2], {X}, 5),
         "terms in the order in which they came, again if they were gone");
  P.add({{X, Y}, 1});
  P.add({{Y, X}, 1});
  expect(P.terms().size() == 4 && isTerm(P.terms()[3], {X, Y}, 2),
         "the same product in another order");
  Polynomial Other({{X, X, Y}, 1}), Powers({{X, Y, Y}, 1});
  expect(!(Other == Powers), "other powers");
  Powers.add({{Z}, 1});
  expect(Powers.degree() == 3, "degree");
  Other.add({{X, Y, Y}, 1});
  Other.add({{Z}, 1});
  expect(!(Powers == Other) && !(Other == Powers), "more terms");
}

void checkSigns() {
  Polynomial P;
  expect(P.isZero() && P.hasSign(false) && P.hasSign(true) &&
             P.valueAtOnes() == 0 && P.degree() == 0,
         "zero");
  P.add({{X}, INT64_MAX});
  P.add({{Y}, INT64_MAX});
  expect(P.hasSign(false) && !P.hasSign(true), "positive factors");
  expect(P.valueAtOnes() == __int128(INT64_MAX) * 2, "beyond 64 bits");
  P.add({{}, -1});
  expect(!P.hasSign(false) && !P.hasSign(true), "both signs");
}

void checkWrapping() {
  Polynomial P({{X}, INT64_MAX});
  P.add({{X}, 1});
  expect(isTerm(P.terms()[0], {X}, INT64_MIN), "a sum of factors wraps");
  auto Division = P.divide({{{}, -1}});
  expect(Division && Division->second.isZero() &&
             isTerm(Division->first.terms()[0], {X}, INT64_MIN),
         "-2^63 x / -1");
  P.add({{X}, INT64_MIN});
  expect(P.isZero(), "-2^63 - 2^63");
  P = Polynomial({{X}, int64_t(1) << 32});
  expect(P.multiply(P) && P.isZero(), "a product of factors wraps");
}

/// (4xy + 8y + 12z + 3yz + 3) / (2y), and by 1 + 2y.
void checkQuotient() {
  Polynomial P({{X, Y}, 4}), Expected({{X}, 2}), Rest({{Z}, 12});
  P.add({{Y}, 8});
  P.add({{Z}, 12});
  P.add({{Y, Z}, 3});
  P.add({{}, 3});
  Expected.add({{}, 4});
  Rest.add({{}, 3});
  Rest.add({{Y, Z}, 3});
  auto Division = P.divide({{{Y}, 2}});
  expect(Division && Division->first == Expected && Division->second == Rest,
         "divided by 2y");
  Polynomial Row({{}, 1});
  Row.add({{Y}, 2});
  Rest -= Expected;
  Division = P.divide(Row);
  expect(Division && Division->first == Expected && Division->second == Rest,
         "divided by 1 + 2y");
  expect(!P.divide(Polynomial()), "divided by 0");
}

/// x^2, x^4, ..., and the square of 1 + x + y + z + w + xx + xy + ...
void checkLimits() {
  Polynomial Power({{X}, 1}), Sum;
  unsigned Squares = 0;
  while (Squares < 9 && Power.multiply(Power))
    ++Squares;
  expect(Squares == 3 && Power == Polynomial({{X, X, X, X, X, X, X, X}, 1}),
         "a product of too many variables is not made");
  for (const int &A : Variables) {
    Sum.add({{&A}, 1});
    for (const int *B = Variables; B <= &A; ++B)
      Sum.add({{&A, B}, 1});
  }
  Sum.add({{}, 1});
  Polynomial Left = Sum;
  expect(!Left.multiply(Sum) && Left == Sum, "nor one of too many terms");
  expect(Left.multiply(Polynomial({{Z}, 1})) && Left.terms().size() == 15,
         "15 terms");
}

} // namespace

int main() {
  for (int I = 0; I < 20000 && !Failures; ++I)
    checkRandom();
  checkOrder();
  checkSigns();
  checkWrapping();
  checkQuotient();
  checkLimits();
  printf("address polynomials: %u failures\n", Failures);
  return Failures != 0;
}
