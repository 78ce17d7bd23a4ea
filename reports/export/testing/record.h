#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

/// What the stand-ins for the vendor's headers have in common: they compute
/// nothing, they write down how they are called.
namespace record {

/// A line for each call since it was last emptied.
inline std::string& Calls() {
  static std::string calls;
  return calls;
}

/// What addresses in GM are counted from.
inline std::uint8_t*& Gm() {
  static std::uint8_t* gm = nullptr;
  return gm;
}

inline std::string Show(const std::string& text) { return text; }
inline std::string Show(const char* text) { return text; }
template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
std::string Show(T value) {
  return std::to_string(value);
}

template <class... Arguments>
void Call(const char* name, const Arguments&... arguments) {
  Calls() += name;
  ((Calls() += " " + Show(arguments)), ...);
  Calls() += '\n';
}

}  // namespace record

// What the device compiler knows by itself.
#define __aicore__
#define __global__
#define __gm__
#define AICORE

struct half {
  std::uint16_t bits;
};
struct bfloat16_t {
  std::uint16_t bits;
};

namespace record {
template <class T>
const char* TypeName() {
  if constexpr (std::is_same_v<T, half>) return "half";
  if constexpr (std::is_same_v<T, bfloat16_t>) return "bfloat16";
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "uint64";
  return "?";
}
}  // namespace record

enum pipe_t {
  PIPE_V,
  PIPE_MTE1,
  PIPE_MTE2,
  PIPE_MTE3,
  PIPE_FIX,
  PIPE_ALL,
  PIPE_S,
  PIPE_M
};

/// CTRL is shown by what is done to it.
inline std::string get_ctrl() { return "ctrl"; }
inline std::string sbitset0(const std::string&, int bit) {
  return "clear " + std::to_string(bit);
}
inline std::string sbitset1(const std::string&, int bit) {
  return "set " + std::to_string(bit);
}
inline void set_ctrl(const std::string& value) {
  record::Call("set_ctrl", value);
}
