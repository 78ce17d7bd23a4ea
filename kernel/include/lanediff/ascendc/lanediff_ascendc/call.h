#ifndef LANEDIFF_ASCENDC_CALL_H
#define LANEDIFF_ASCENDC_CALL_H

#include <cstdint>

#include "lanediff/kernel_number.h"
#include "lanediff_ascendc/tensor.h"
#include "lanediff_ascendc/types.h"
#include "lanediff_ascendc/words.h"

namespace lanediff::front {

/// Parameters of a call, in the documents' order; Derived is the call.
template <typename Derived, int kMost>
class Parameters {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): up to count_
  Parameters() {}
  /// Names and numbers in turn.
  template <typename... More>
  Derived& Number(const char* name, Num value, const More&... more) {
    Add({name, value, nullptr});
    if constexpr (sizeof...(more) > 0) Number(more...);
    return static_cast<Derived&>(*this);
  }
  template <typename Enum>
  Derived& Word(const char* name, Enum value) {
    return Add({name, static_cast<std::int64_t>(value), WordOf(value)});
  }
  Derived& Text(const char* name, const char* text) {
    return Add({name, 0, text});
  }

 protected:
  lanediff_parameter all_[kMost];
  std::uint32_t count_ = 0;

 private:
  Derived& Add(const lanediff_parameter& one) {
    all_[count_++] = one;
    return static_cast<Derived&>(*this);
  }
};

/// A call that touches no byte.
class State : public Parameters<State, 4> {
 public:
  State(const char* name, lanediff_site site) : name_(name), site_(site) {}
  void Execute() const { lanediff_state(name_, all_, count_, site_); }

 private:
  const char* name_;
  lanediff_site site_;
};

/// A call of an intrinsic: what was given, and nothing more. TransDataTo5HD has
/// 37 parameters.
class Call : public Parameters<Call, 40> {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): up to the counts
  Call(const char* name, lanediff_site site) {
    call_.name = name;
    call_.site = site;
    call_.scalar_dtype = LANEDIFF_NO_DTYPE;
    call_.is_set_mask = 1;
  }

  /// Names and tensors in turn.
  template <typename Derived, typename T, typename... More>
  Call& Operand(const char* name, const Tensor<Derived, T>& tensor,
                const More&... more) {
    operands_[call_.operand_count++] = {name, tensor.lanediff_tensor_of(),
                                        DtypeOf<T>()};
    if constexpr (sizeof...(more) > 0) Operand(more...);
    return *this;
  }
  template <typename T>
  Call& Scalar(const T& value) {
    call_.scalar = BitsOf(value);
    call_.scalar_dtype = DtypeOf<T>();
    return *this;
  }
  Call& Count(Num count, bool is_set_mask = true) {
    call_.form = LANEDIFF_COUNT;
    call_.is_set_mask = is_set_mask ? 1 : 0;
    return Number("count", count);
  }
  Call& Masked(const Mask& mask, bool is_set_mask) {
    call_.form = mask.form();
    call_.mask[0] = mask.word(0);
    call_.mask[1] = mask.word(1);
    call_.is_set_mask = is_set_mask ? 1 : 0;
    return *this;
  }
  std::uint64_t Execute() {
    call_.operands = operands_;
    call_.parameters = all_;
    call_.parameter_count = count_;
    return lanediff_execute(&call_);
  }

 private:
  lanediff_call call_ = {};
  lanediff_operand operands_[6];
};

}  // namespace lanediff::front

/// NAME<T> where a pointer to a function of the vendor's type is requested,
/// which has no place: R is deduced from that type alone, never from a call,
/// so calls take the other overloads. TENSORS are parameters of the types,
/// GIVEN their names in the order of the other overloads.
#define LANEDIFF_POINTER_OF(NAME, TYPES, TENSORS, PASSED, GIVEN)        \
  template <TYPES, bool isSetMask = true, typename R, typename... Args> \
  R NAME(TENSORS, Args... args) {                                       \
    if constexpr (isSetMask) {                                          \
      NAME(PASSED, args..., lanediff_site{});                           \
    } else {                                                            \
      NAME<GIVEN, false>(PASSED, args..., lanediff_site{});             \
    }                                                                   \
  }
#define LANEDIFF_POINTER(NAME) \
  LANEDIFF_POINTER_OF(NAME, typename T, const LocalTensor<T>& dst, dst, T)
#define LANEDIFF_POINTER_2(NAME)                                          \
  LANEDIFF_POINTER_OF(                                                    \
      NAME, typename T LANEDIFF_COMMA typename U,                         \
      const LocalTensor<T>& dst LANEDIFF_COMMA const LocalTensor<U>& src, \
      dst LANEDIFF_COMMA src, T LANEDIFF_COMMA U)
#define LANEDIFF_COMMA ,
#define LANEDIFF_LIST(...) __VA_ARGS__

#endif  // LANEDIFF_ASCENDC_CALL_H
