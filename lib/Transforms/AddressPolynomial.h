//===- AddressPolynomial.h - Addresses as sums of products ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is computed with addresses: a[i * n + j] is 8 * i * n + 8 * j bytes
/// behind a.  Variables are LLVM's values or expressions of ScalarEvolution.
/// All is modulo 2^64, and so modulo 2^32 as well; whoever takes apart a sum
/// that is narrower than the address has to know that it does not overflow.
///
//===----------------------------------------------------------------------===//

#ifndef POLYGPU_ADDRESSPOLYNOMIAL_H
#define POLYGPU_ADDRESSPOLYNOMIAL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <optional>

namespace polygpu {

/// A sum of terms in normal form: no two have the same variables, and no factor
/// is 0.  Terms are in the order in which they came, variables in any order;
/// comparison and hash depend on neither.
template <typename Variable> class AddressPolynomial {
public:
  struct Term {
    llvm::SmallVector<Variable, 4> Variables; ///< none in the constant part
    int64_t Factor;
  };

  AddressPolynomial() = default;
  AddressPolynomial(const Term &T) { add(T); }

  llvm::ArrayRef<Term> terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  /// The largest number of variables in a term.
  size_t degree() const {
    size_t Most = 0;
    for (const Term &T : Terms)
      Most = std::max<size_t>(Most, T.Variables.size());
    return Most;
  }
  /// Too large to compute with?  No address of a real program is.
  bool isTooLarge() const { return Terms.size() > 64 || degree() > 8; }
  /// Are all factors negative, or none?
  bool hasSign(bool Negative) const {
    return llvm::all_of(
        Terms, [&](const Term &T) { return (T.Factor < 0) == Negative; });
  }
  /// The value where all variables are \p Number, a small one, as an integer.
  __int128 valueAt(int Number) const {
    __int128 Sum = 0;
    for (const Term &T : Terms) {
      __int128 Product = T.Factor;
      for (size_t N = 0; N < T.Variables.size(); ++N)
        Product *= Number;
      Sum += Product;
    }
    return Sum;
  }

  __int128 valueAtOnes() const { return valueAt(1); }

  void add(const Term &New) {
    Term *T = llvm::find_if(Terms, isLike(New));
    if (T == Terms.end())
      T = Terms.insert(T, {New.Variables, 0});
    T->Factor = static_cast<int64_t>(uint64_t(T->Factor) + New.Factor);
    if (T->Factor == 0)
      Terms.erase(T);
  }
  /// Add \p P * \p Times; \p P is another polynomial.
  void add(const AddressPolynomial &P, const Term &Times) {
    for (Term T : P.Terms) {
      T.Variables.append(Times.Variables);
      T.Factor = static_cast<int64_t>(uint64_t(T.Factor) * Times.Factor);
      add(T);
    }
  }
  void operator+=(const AddressPolynomial &P) { add(P, {{}, 1}); }
  void operator-=(const AddressPolynomial &P) { add(P, {{}, -1}); }

  /// Becomes the product with \p P; if a sum on the way there is too large,
  /// false, and what it was.
  [[nodiscard]] bool multiply(const AddressPolynomial &P) {
    AddressPolynomial Result;
    for (const Term &T : Terms) {
      Result.add(P, T);
      if (Result.isTooLarge())
        return false;
    }
    *this = Result;
    return true;
  }

  /// Quotient and rest: by the term of \p Divisor with most variables is
  /// divided as long as possible.  Nothing if that takes too long, or \p
  /// Divisor is 0.
  std::optional<std::pair<AddressPolynomial, AddressPolynomial>>
  divide(const AddressPolynomial &Divisor) const {
    if (Divisor.isZero())
      return std::nullopt;
    const Term *Lead = Divisor.Terms.begin();
    for (const Term &T : Divisor.Terms)
      if (T.Variables.size() > Lead->Variables.size())
        Lead = &T;
    AddressPolynomial Left = *this, Quotient, Rest;
    for (unsigned Step = 0; !Left.isZero(); ++Step) {
      if (Step > 256 || Left.isTooLarge())
        return std::nullopt;
      Term T = Left.Terms.front();
      AddressPolynomial Done;
      if (std::optional<Term> Part = quotient(T, *Lead)) {
        Quotient.add(*Part);
        Done.add(Divisor, *Part);
      } else {
        Rest.add(T);
        Done.add(T);
      }
      Left -= Done;
    }
    return std::pair(Quotient, Rest);
  }

  bool operator==(const AddressPolynomial &P) const {
    return Terms.size() == P.Terms.size() &&
           llvm::all_of(Terms, [&](const Term &T) {
             const Term *Other = llvm::find_if(P.Terms, isLike(T));
             return Other != P.Terms.end() && Other->Factor == T.Factor;
           });
  }
  friend llvm::hash_code hash_value(const AddressPolynomial &P) {
    size_t Sum = 0;
    for (const Term &T : P.Terms) {
      size_t Variables = 0;
      for (Variable V : T.Variables)
        Variables += llvm::hash_value(V);
      Sum += llvm::hash_combine(Variables, T.Factor);
    }
    return Sum;
  }

private:
  llvm::SmallVector<Term, 4> Terms;

  /// \p T without the variables and the factor of \p D, if it has them all.
  static std::optional<Term> quotient(Term T, const Term &D) {
    for (Variable V : D.Variables) {
      auto It = llvm::find(T.Variables, V);
      if (It == T.Variables.end())
        return std::nullopt;
      T.Variables.erase(It);
    }
    __int128 Factor = T.Factor; // -2^63 / -1 is too much for 64 bits
    if (Factor % D.Factor != 0)
      return std::nullopt;
    T.Factor = static_cast<int64_t>(Factor / D.Factor);
    return T;
  }

  static auto isLike(const Term &T) {
    return [&V = T.Variables](const Term &Other) {
      return std::is_permutation(V.begin(), V.end(), Other.Variables.begin(),
                                 Other.Variables.end());
    };
  }
};

} // namespace polygpu

#endif
