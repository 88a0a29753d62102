//===- Helpers.cpp - What printed kernels need beside CUDA ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Helpers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace polygpu {

namespace {
struct Helper {
  StringRef Name, With; ///< a name of the text, and another one or none
  const char *Definition;
};
} // namespace

static const Helper Helpers[] = {{VectorHelper, MakeVectorHelper, R"(
// Numbers that are in memory as one.
template <typename T, int N> struct alignas(sizeof(T) * N) vector_of {
  T part[N];
};
template <typename T, typename... Parts>
static __device__ vector_of<T, sizeof...(Parts)> make_vector(Parts... parts)
{
  return {{(T)parts...}};
}
)"},
                                 {UpdateHelper, "", R"(
// An atomic update of a number of one or two bytes, by the four bytes that it is
// in; what it was.
template <typename T, typename Change>
static __device__ T update_narrow(T *at, T with, Change change)
{
  const unsigned rest = (size_t)at & 3, shift = 8 * rest;
  const unsigned ones = sizeof(T) == 1 ? 0xffu : 0xffffu;
  unsigned *word = (unsigned *)((char *)at - rest);
  unsigned now = atomicOr(word, 0u), before;
  do {
    before = now;
    unsigned number = (unsigned)change((T)(before >> shift), with) & ones;
    now = atomicCAS(word, before,
                    (before & ~(ones << shift)) | number << shift);
  } while (now != before);
  return (T)(before >> shift);
}
)"},
                                 {LeftHelper, "", R"(
// The upper one of two numbers that are moved to the left as one.
template <typename T>
static __device__ T shifted_left(T high, T low, T by)
{
  const unsigned bits = 8 * sizeof(T), n = (unsigned)(by % bits);
  return n ? (T)(high << n | low >> (bits - n)) : high;
}
)"},
                                 {RightHelper, "", R"(
// The lower one of two numbers that are moved to the right as one.
template <typename T>
static __device__ T shifted_right(T high, T low, T by)
{
  const unsigned bits = 8 * sizeof(T), n = (unsigned)(by % bits);
  return n ? (T)(low >> n | high << (bits - n)) : low;
}
)"},
                                 {SwapHelper, "", R"(
// The bytes of a number in the other order.
template <typename T> static __device__ T swapped_bytes(T number)
{
  T result = 0;
  for (unsigned b = 0; b < sizeof(T); ++b)
    result |= (T)((number >> 8 * b & 255) << 8 * (sizeof(T) - 1 - b));
  return result;
}
)"},
                                 {SumHelper, "", R"(
// Sums that stay at the ends of their type.
static __device__ inline long long saturated_sum(long long a, long long b)
{
  long long sum = (long long)((unsigned long long)a + (unsigned long long)b);
  if (((a ^ sum) & (b ^ sum)) >= 0)
    return sum;
  return a < 0 ? -9223372036854775807LL - 1 : 9223372036854775807LL;
}
static __device__ inline unsigned long long
saturated_sum(unsigned long long a, unsigned long long b)
{
  return a + b < a ? ~0ULL : a + b;
}
)"},
                                 {DifferenceHelper, "", R"(
// Differences that stay at the ends of their type.
static __device__ inline long long
saturated_difference(long long a, long long b)
{
  long long difference =
      (long long)((unsigned long long)a - (unsigned long long)b);
  if (((a ^ b) & (a ^ difference)) >= 0)
    return difference;
  return a < 0 ? -9223372036854775807LL - 1 : 9223372036854775807LL;
}
static __device__ inline unsigned long long
saturated_difference(unsigned long long a, unsigned long long b)
{
  return a < b ? 0 : a - b;
}
)"}};

bool isHelper(StringRef Name) {
  return any_of(Helpers, [&](const Helper &H) {
    return H.Name == Name || H.With == Name;
  });
}

/// Is \p Word one of \p Text?  It may be the beginning of one.
static bool has(StringRef Text, StringRef Word) {
  for (size_t At = Text.find(Word); At != StringRef::npos;
       At = Text.find(Word, At + 1))
    if (At == 0 || !(isAlnum(Text[At - 1]) || Text[At - 1] == '_'))
      return true;
  return false;
}

static bool haveAny(ArrayRef<const std::string *> Texts, StringRef Word) {
  return any_of(Texts,
                [&](const std::string *Text) { return has(*Text, Word); });
}

std::string headersFor(ArrayRef<const std::string *> Texts) {
  return haveAny(Texts, "__half")
             ? "#include <cuda_fp16.h> // of CUDA, for half precision\n"
             : "";
}

std::string helpersFor(ArrayRef<const std::string *> Texts) {
  std::string Result;
  for (const Helper &H : Helpers)
    if (haveAny(Texts, H.Name) || (!H.With.empty() && haveAny(Texts, H.With)))
      Result += H.Definition;
  return Result;
}

} // namespace polygpu
