#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/carried.h"
#include "isa/vocabulary.h"
#include "lanediff/kernel_abi.h"

/// Calls without rules of their own: what each touches, and plain loops that
/// compute the result of its page. One file per family; a new call needs a row
/// in that file.
namespace lanediff::kernel {

/// An operand whose tensor has memory.
struct CarriedOperand {
  isa::OperandName name = isa::OperandName::kDst;
  std::uint8_t dtype = LANEDIFF_NO_DTYPE;  ///< lanediff_dtype
  isa::Position position = isa::Position::kVeccalc;
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;  ///< first byte, an address of `memory` as cases have it
  std::int64_t window = 0;  ///< bytes from `at`
  /// The byte at `at`, in this process. What lies outside of the window is none
  /// of ours.
  std::uint8_t* bytes = nullptr;
  /// Bytes from `at` that a plan may read: the window, or none where it starts
  /// outside of its memory.
  std::int64_t readable = window;
  /// Of calls that look at contents: runs [first, second) from `at` that
  /// nothing has written: what they hold is no result of the kernel.
  std::vector<std::pair<std::int64_t, std::int64_t>> unwritten = {};

  bool HasUnwritten(std::int64_t offset, std::int64_t size) const;
};

/// What the machine is set to when the call comes.
struct VectorState {
  std::uint64_t mask_low = ~std::uint64_t{0};
  std::uint64_t mask_high = ~std::uint64_t{0};
  bool counter = false;  ///< counter mode: mask_low is a number of elements
  bool saturation = true;
  std::optional<std::uint64_t> deq_scale;
  std::string_view atomic = "none";  ///< none, add, max, min
  std::uint8_t atomic_dtype = LANEDIFF_NO_DTYPE;
  /// What SetPadValue set: an element's bits and its type.
  std::optional<std::pair<std::uint64_t, std::uint8_t>> pad_value;
  /// The result of the last ReduceSum with a count, likewise.
  std::optional<std::pair<std::uint64_t, std::uint8_t>> sum;
  /// What the last MrgSort returned, if it stops where a queue ends.
  std::optional<std::uint64_t> merged;
  /// A call that was skipped would have set `sum`, or `merged`.
  bool sum_skipped = false;
  bool merged_skipped = false;
  /// What SetCmpMask or Compare without dst left: 128 bits.
  std::uint64_t compare_mask[2] = {0, 0};
};

/// The parameters of a call, by name.
struct GivenParameters {
  std::span<const lanediff_parameter> all;

  /// Null if there is none.
  const lanediff_parameter* Find(std::string_view name) const;
  /// The parameter's number, or `otherwise` where there is none.
  std::int64_t Number(std::string_view name, std::int64_t otherwise = 0) const;
  /// Its word, or "".
  std::string_view Word(std::string_view name) const;
};
inline GivenParameters ParametersIn(const lanediff_call& call) {
  return {{call.parameters, call.parameter_count}};
}

struct CarriedCall {
  const lanediff_call* call =
      nullptr;  ///< name, parameters, mask, scalar, site
  isa::Product product = isa::Product::kAtlasA2;
  std::vector<CarriedOperand> operands;  ///< those of `call`, in its order
  VectorState state;

  std::int64_t Number(std::string_view name, std::int64_t otherwise = 0) const {
    return ParametersIn(*call).Number(name, otherwise);
  }
  std::string_view Word(std::string_view name) const {
    return ParametersIn(*call).Word(name);
  }
};

/// Bytes of one operand that iteration `iteration`, from 0, touches. `at` is an
/// address of the operand's memory; it may lie outside of the window.
struct Touch {
  std::uint32_t operand = 0;  ///< index
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t iteration = 0;
};

/// What the call is, before anything is computed.
struct CarriedPlan {
  isa::Pipe pipe = isa::Pipe::kV;
  /// With the ranges that its page gives (KRN-RANGE).
  isa::Arguments parameters;
  /// For each operand: what `isa::CarriedOperand::align` is.
  std::vector<std::optional<std::int64_t>> align;
  /// In the order of iterations, an iteration's reads before its writes.
  std::vector<Touch> reads;
  std::vector<Touch> writes;
  /// Select: of the elements, one iteration behind the other, those that are
  /// src0's; GatherMask: those that are picked. Empty: of other calls.
  std::vector<bool> chosen;
  /// It leaves a window, so that the call is rejected: iterations that follow
  /// are not listed.
  bool cut = false;
  /// What an operand holds that the call's page does not allow, or of which it
  /// leaves the result open.
  struct Contents {
    isa::OperandName operand = isa::OperandName::kSrc;
    std::string text;  ///< "element 3 is 5; a multiple of 2 is needed"
    bool open = false;
  };
  std::vector<Contents> contents;
  bool approximate = false;  ///< its values are a host's, not certified
  /// The mask and mode behind it, and whether it goes by the register.
  isa::CarriedMask mask;
};

/// Whether `name` is a call of this folder.
bool IsCarried(std::string_view name);
/// Whether its plan depends on what sources hold (`unwritten`).
bool LooksAtContents(std::string_view name);

/// The names of the calls of this folder, in no order.
std::vector<std::string_view> CarriedNames();

/// The parameter that marks a step as one that the call's page does not have
/// (KRN-PRODUCT, KRN-DTYPE): the product, else the types. A call without a page
/// here, such as PTO's, has none.
std::optional<isa::Argument> UnlistedBy(const CarriedCall& call);

/// The plan, or why the call is refused, in a few words ("Cast from int4b_t to
/// bfloat16_t"). Nothing is executed. A parameter outside its range gets a
/// plan: what it touches is then of the range's nearest end.
std::expected<CarriedPlan, std::string> PlanOf(const CarriedCall& call);

/// Computes and writes, in place: the call has a plan, every byte of which lies
/// in its window. Iterations run one after another; each reads before it
/// writes. Changes `state` only where the call is one that sets it
/// (SetCmpMask, Compare without dst, ReduceSum with a count, MrgSort). Returns
/// a number where the call gives one (GatherMask's rsvdCnt; MrgSort's
/// sortedNum, 16 bits for each queue; the bits of GetReduceRepeatSumSpr), else
/// 0.
std::uint64_t Compute(const CarriedCall& call, VectorState& state);

/// Marks what the call, which is skipped, would have set of `state`.
void MarkSkipped(const lanediff_call& call, VectorState& state);

namespace carried {

/// Whether an atomic mode can do the elements (SetAtomicAdd, SetAtomicMax,
/// SetAtomicMin · 数据类型). `dtype` is the copy's, as below.
bool CanAccumulate(const VectorState& state, std::uint8_t dtype);
/// "atomic add of uint32_t": why a copy is refused that can't.
std::string RefusedAtomic(const VectorState& state, std::uint8_t dtype);

/// What a copy to GM does in an atomic mode: each whole element of `dst`
/// becomes the sum, the larger or the smaller one of itself and that of `src`.
/// The elements are of `state.atomic_dtype`, or of `dtype` where that is none.
/// Sums are one node each, rounded and saturated as those of vectors are.
void Accumulate(const VectorState& state, std::uint8_t dtype, std::uint8_t* dst,
                const std::uint8_t* src, std::int64_t bytes);

}  // namespace carried
}  // namespace lanediff::kernel
