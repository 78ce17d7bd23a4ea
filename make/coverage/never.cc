#include "make/coverage/never.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lanediff::make::coverage {
namespace {

/// The bins of a group whose words are all among those of `words`, one entry a
/// dimension: words with "|" between them, or "*" for any.
struct Never {
  std::string_view room;
  std::string_view group;
  std::vector<std::string_view> words;
  std::string_view reason;
};

const std::vector<Never>& Table() {
  static const std::vector<Never> table = {
      // Arithmetic.
      {"*",
       "event",
       {"saturated-high|saturated-low|nan-saturated|nan-swallowed", "float",
        "*"},
       "STATE-SATURATION: float is always IEEE"},
      {"*",
       "event",
       {"saturated-high|saturated-low|nan-saturated|nan-swallowed", "half",
        "atlas-a2 ieee|atlas-a3 ieee"},
       "STATE-SATURATION: saturation mode is off"},
      {"repeat_reduce_sum",
       "event",
       {"overflowed|nan-made", "half",
        "atlas-training saturating|atlas-inference-aicore saturating|atlas-a2 "
        "saturating"},
       "STATE-SATURATION: in saturation mode the sum is finite"},

      // Layouts and masks.
      {"repeat_reduce_sum",
       "layout",
       {"src", "running", "*"},
       "RRS-OVERLAP-DEPENDENCY: rejected"},
      {"min",
       "layout",
       {"src0", "running", "*"},
       "MIN-OVERLAP-DEPENDENCY: only src1 may be written by earlier "
       "iterations"},
      {"min",
       "layout",
       {"src1", "running", "int16"},
       "MIN-OVERLAP-DEPENDENCY: not for int16"},
      {"vec_trans",
       "layout",
       {"src", "one-empty", "*"},
       "VT-REPEAT: there is at least one iteration"},
      {"vec_trans",
       "layout",
       {"src", "shifted", "*"},
       "VT-OVERLAP: source and destination blocks coincide or are apart"},
      {"repeat_reduce_sum",
       "mask",
       {"run|low|high|spread", "call", "*"},
       "RRS-ELEMS: elemsInOneRepeat counts from lane 0 on"},
      {"min",
       "mask",
       {"run|low|high|spread", "count|contiguous", "*"},
       "MIN-MASK-LANES: such a mask is the lanes from 0 on"},
      {"*",
       "mask",
       {"high|spread", "*", "float|int32"},
       "a 32-bit type has the lanes 0 to 63 only"},

      // Values of fields.
      {"repeat_reduce_sum",
       "elemsInOneRepeat",
       {"high-1|high", "float"},
       "RRS-ELEMS: at most 64 for float"},
      {"min",
       "count count",
       {"high-1|high", "*"},
       "MIN-BOUNDS: more elements than UB holds"},
      {"min",
       "mask mask",
       {"large|high-1|high", "float|int32"},
       "MIN-MASK-CONTIGUOUS: at most 64 for 32-bit types"},
      {"min",
       "mask dstBlkStride",
       {"low", "*"},
       "MIN-DST-BLK-STRIDE-ZERO: rejected"},
      {"min",
       "mask[] dstBlkStride",
       {"low", "*"},
       "MIN-DST-BLK-STRIDE-ZERO: rejected"},
      {"data_copy",
       "count count",
       {"high-1|high", "*"},
       "DC-BOUNDS: more bytes than any local memory holds"},
      {"data_copy",
       "params blockLen",
       {"high-1|high", "*"},
       "DC-BOUNDS: more bytes than any local memory holds"},
      {"trowprod",
       "columns",
       {"0", "no-tail", "*", "*", "*"},
       "TRP-VALID-ZERO: no columns are rejected"},

      // Rules.
      {"repeat_reduce_sum",
       "alone",
       {"RRS-DST-REP-STRIDE-ZERO", "atlas-inference-aicore|atlas-a2"},
       "RRS-DST-REP-STRIDE-ZERO: on atlas-training only"},
      {"data_copy",
       "alone",
       {"DC-DTYPE", "atlas-a2|atlas-a3|atlas-200i-500-a2"},
       "DC-DTYPE: every type is allowed there"},
      {"data_copy",
       "alone",
       {"DC-MIXED",
        "atlas-training|atlas-inference-aicore|atlas-inference-vectorcore|"
        "atlas-200i-500-a2"},
       "DC-PRODUCT: mixed types break it as well"},
      {"data_copy",
       "alone",
       {"DC-OVERLAP", "atlas-inference-vectorcore|atlas-200i-500-a2"},
       "DC-ROUTE: every route leads from one memory to another"},
      {"repeat_reduce_sum",
       "together",
       {"RRS-BOUNDS"},
       "RRS-BOUNDS: looked at only where no other rule is broken"},
      {"min",
       "together",
       {"MIN-BOUNDS|MIN-OVERLAP-COUNT"},
       "looked at only where no other rule is broken"},
      {"data_copy",
       "together",
       {"DC-BOUNDS"},
       "DC-BOUNDS: looked at only where no other rule is broken"},
      {"trowprod",
       "together",
       {"TRP-BOUNDS|TRP-OVERLAP"},
       "looked at only where no other rule is broken"},
      {"vec_trans",
       "together",
       {"VT-BOUNDS|VT-OVERLAP"},
       "looked at only where no other rule is broken"},
      {"repeat_reduce_sum",
       "unsupported",
       {"atlas-training|atlas-inference-aicore|atlas-a2"},
       "RRS-PRODUCT: supported"},
      {"min",
       "unsupported",
       {"atlas-training|atlas-inference-aicore|atlas-a2|atlas-200i-500-a2"},
       "MIN-PRODUCT: supported"},
      {"data_copy",
       "unsupported",
       {"atlas-a2|atlas-a3"},
       "DC-PRODUCT: supported, mixed types too"},
      {"trowprod",
       "unsupported",
       {"atlas-a2|atlas-a3"},
       "TRP-PRODUCT: supported"},
      {"vec_trans",
       "unsupported",
       {"atlas-training|atlas-inference-aicore|atlas-inference-vectorcore|"
        "atlas-a2|atlas-200i-500-a2|atlas-200-300-500"},
       "VT-PRODUCT: supported"},

      // Types.
      {"min",
       "dtype",
       {"int16", "atlas-training"},
       "MIN-DTYPE: not on atlas-training"},
      {"data_copy",
       "dtype",
       {"bfloat16",
        "atlas-training|atlas-inference-aicore|atlas-inference-vectorcore"},
       "DC-DTYPE: no bfloat16 there"},

      // Programs.
      {"program",
       "step",
       {"*", "SetVectorMask|PipeBarrier", "rejected"},
       "no rule rejects it"},
      {"program",
       "step",
       {"TROWPROD", "SetSaturation", "rejected"},
       "STATE-SATURATION-PRODUCT: legal on all products that have TROWPROD"},
  };
  return table;
}

bool IsAmong(std::string_view word, std::string_view words) {
  if (words == "*") return true;
  while (true) {
    const std::size_t bar = words.find('|');
    if (words.substr(0, bar) == word) return true;
    if (bar == std::string_view::npos) return false;
    words.remove_prefix(bar + 1);
  }
}

}  // namespace

std::optional<std::string_view> WhyNever(Bin bin) {
  const Model& model = Model::Get();
  const Group& group = model.GroupOf(bin);
  const auto words = model.BinWords(bin);
  for (const Never& never : Table()) {
    if (never.group != group.name || !IsAmong(group.room, never.room)) continue;
    if (std::ranges::equal(words, never.words, IsAmong)) return never.reason;
  }
  return std::nullopt;
}

}  // namespace lanediff::make::coverage
