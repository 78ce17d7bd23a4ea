// What TIK calls otherwise: kernel/tik/tests/same_values_test.py holds the same lines against TIK's
// calls of the same inputs.
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "kernel_operator.h"
using namespace AscendC;

template <class T>
LocalTensor<T> In(int slot) {
  return LocalTensor<T>(TPosition::VECCALC, slot * 512, 512 / sizeof(T));
}
template <class T>
void Set(int slot, std::initializer_list<double> values) {
  auto t = In<T>(slot);
  int i = 0;
  for (double value : values) t.SetValue(i++, T(static_cast<float>(value)));
  while (i < static_cast<int>(256 / sizeof(T))) t.SetValue(i++, T(1.0f));
  PipeBarrier<PIPE_ALL>();
}
template <class T>
void Show(const char* name, int count) {
  PipeBarrier<PIPE_ALL>();
  std::printf("%s:", name);
  for (int i = 0; i < count; ++i) {
    T value = In<T>(0).GetValue(i);
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf(" %0*llx", static_cast<int>(2 * sizeof value), bits);
  }
  PipeBarrier<PIPE_ALL>();
  std::printf("\n");
}

constexpr double kInf = __builtin_inf(), kNan = __builtin_nan("");

template <class T>
void OfFloats(const char* type, double big) {
  char name[32];
  const auto show = [&](const char* call, int count) {
    std::snprintf(name, sizeof name, "%s %s", call, type);
    Show<T>(name, count);
  };
  Set<T>(0, {-big, 1, 0, -0.0, 65504});
  Set<T>(1, {big, 3, 1, 0, -kInf});
  Axpy(In<T>(0), In<T>(1), T(2.0f), 64);
  show("axpy", 5);
  Set<T>(1, {1, kNan, -0.0, 3});
  WholeReduceMin<T>(In<T>(0), In<T>(1), 64, 1, 1, 1, 8);
  show("min", 2);
  Set<T>(1, {1, 0.0, -0.0, 3});
  WholeReduceMin<T>(In<T>(0), In<T>(1), 64, 1, 1, 1, 8);
  show("min", 2);
  Set<T>(1, {kInf, kInf, kInf, kInf});
  WholeReduceMin<T>(In<T>(0), In<T>(1), 4, 1, 1, 1, 8);
  show("min", 2);
  Set<T>(1, {kInf, -0.0, 65504, kNan, 3});
  Set<T>(2, {-kInf, 0.0, 65504, 1, -4});
  Add(In<T>(0), In<T>(1), In<T>(2), 64);
  show("add", 5);
  Max(In<T>(0), In<T>(1), In<T>(2), 64);
  show("max", 5);
  Min(In<T>(0), In<T>(1), In<T>(2), 64);
  show("min2", 5);
  Muls(In<T>(0), In<T>(1), T(2.0f), 64);
  show("muls", 5);
  Sub(In<T>(0), In<T>(1), In<T>(2), 64);
  show("sub", 5);
  Abs(In<T>(0), In<T>(1), 64);
  show("abs", 5);
  Relu(In<T>(0), In<T>(1), 64);
  show("relu", 5);
  LeakyRelu(In<T>(0), In<T>(2), T(-2.0f), 64);
  show("lrelu", 5);
  WholeReduceSum<T>(In<T>(0), In<T>(2), 5, 1, 1, 1, 8);
  show("sum", 1);
  WholeReduceSum<T>(In<T>(0), In<T>(1), 1, 1, 1, 1, 8);
  show("sum", 1);
  WholeReduceMax<T>(In<T>(0), In<T>(1), 64, 1, 1, 1, 8);
  show("largest", 2);
  WholeReduceMax<T>(In<T>(0), In<T>(2), 64, 1, 1, 1, 8);
  show("largest", 2);
  PairReduceSum<T>(In<T>(0), In<T>(1), 1, 5, 1, 1, 8);
  show("pairs", 3);
  BlockReduceMin<T>(In<T>(0), In<T>(2), 1, 64, 1, 1, 8);
  show("blocks", 2);
  BlockReduceSum<T>(In<T>(0), In<T>(2), 1, 3, 1, 1, 8);
  show("sums", 1);
}

template <class T>
void OfIntegers(const char* type, T most) {
  char name[32];
  const auto show = [&](const char* call) {
    std::snprintf(name, sizeof name, "%s %s", call, type);
    Show<T>(name, 4);
  };
  auto a = In<T>(1);
  for (int i = 0; i < 64; ++i) a.SetValue(i, 1);
  a.SetValue(0, most);
  a.SetValue(1, -most);
  a.SetValue(2, most - 2);
  PipeBarrier<PIPE_ALL>();
  Add(In<T>(0), In<T>(1), In<T>(1), 64);
  show("add");
  Adds(In<T>(0), In<T>(1), T(3), 64);
  show("adds");
  Muls(In<T>(0), In<T>(1), T(-2), 64);
  show("muls");
}

void Kernel() {
  InitSocState();
  SetMaskNorm();
  ResetMask();
  OfFloats<half>("float16", 60000);
  OfFloats<float>("float32", 3e38);
  OfIntegers<int16_t>("int16", INT16_MAX);
  OfIntegers<int32_t>("int32", INT32_MAX);
  Set<float>(1, {-0.0, -0.25, 2.5, kNan, -kInf, 70000});
  Cast(In<float>(0), In<float>(1), RoundMode::CAST_RINT, 64);
  Show<float>("conv float32", 6);
  Cast(In<half>(0), In<float>(1), RoundMode::CAST_NONE, 64);
  Show<half>("conv float16", 6);
  Cast(In<int32_t>(0), In<float>(1), RoundMode::CAST_RINT, 64);
  Show<int32_t>("conv int32", 6);
}

int main() { lanediff::Launch(Kernel, 1); }
