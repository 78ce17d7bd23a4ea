#include "generators/coverage/never.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "generators/values.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::make::coverage {
namespace {

/// The bins of a group whose words are all among those of `words`, one entry a
/// dimension, with ", " between: words with "|" between them, or "*" for any.
struct Never {
  std::string slug;
  std::string group;
  std::string words;
  std::string reason;
};

/// The products that have `op` in `edition`, each with `end` behind it, with
/// "|" between.
std::string Products(std::string_view op, std::string_view end,
                     isa::Edition edition) {
  std::string all;
  const isa::Instruction& instruction = *isa::FindInstruction(op);
  for (isa::Product product : instruction.products) {
    if (!instruction.Has({product, edition})) continue;
    all +=
        fmt::format("{}{}{}", all.empty() ? "" : "|", isa::Name(product), end);
  }
  return all;
}

/// Of an instruction with masks.
void Add(const isa::Call& kind, isa::Edition edition, std::vector<Never>& all) {
  using enum isa::CallRule;
  const std::string slug(kind.signature->slug);
  const auto add = [&](std::string_view group, std::string words,
                       isa::CallRule rule, std::string_view why) {
    all.push_back({slug, std::string(group), std::move(words),
                   fmt::format("{}: {}", kind.Rule(rule).text(), why)});
  };
  const std::string_view op = kind.signature->op;
  const bool may_run = isa::FindRule(kind.Rule(kOverlapSources).text());
  for (std::size_t i = 0; i < kind.signature->sources(); ++i) {
    if (kind.signature->operands[i + 1].is_packed) continue;
    const std::string_view source = kind.signature->operands[i + 1].name;
    if (i == 1 && may_run) {
      add("layout", fmt::format("{}, running, int16", source),
          kOverlapDependency, "not for int16");
    } else {
      add("layout", fmt::format("{}, running, *", source), kOverlapDependency,
          may_run ? "only src1 may be written by earlier iterations"
                  : "rejected");
    }
  }
  add("unsupported", Products(op, "", edition), kProduct, "supported");
  const std::string on = Products(op, " saturating", edition);
  if (kind.signature->family == isa::Family::kReduction) {
    all.push_back({slug, "event", "overflowed|nan-made, half, " + on,
                   "STATE-SATURATION: in saturation mode the sum is finite"});
    if (kind.signature->Has(isa::Param::kMaskWords)) {
      add("mask", "run|low|high|spread, contiguous, *", kMaskLanes,
          "such a mask is the lanes from 0 on");
      add("mask mask", "large|high-1|high, float", kMaskContiguous,
          "at most 64 for float");
      for (const auto& [product, type] : isa::FindInstruction(op)->lacks) {
        const std::string_view lacking = isa::Name(product);
        add("dtype", fmt::format("{}, {}", isa::Name(type), lacking), kDtype,
            fmt::format("not on {}", lacking));
        add("event",
            fmt::format("*, {}, {} saturating", isa::Name(type), lacking),
            kDtype, fmt::format("not on {}", lacking));
      }
    }
    if (kind.signature->Has(isa::Param::kReduceOrder)) {
      add("alone",
          fmt::format("{}, atlas-a2|atlas-a3", kind.Rule(kReduceOrder).text()),
          kReduceOrder, "every order is allowed there");
    }
    add("alone",
        fmt::format("{}, atlas-inference-aicore|atlas-a2|atlas-a3|"
                    "atlas-200i-500-a2",
                    kind.Rule(kDstRepStrideZero).text()),
        kDstRepStrideZero, "on atlas-training only");
    add("together", std::string(kind.Rule(kBounds).text()), kBounds,
        "looked at only where no other rule is broken");
    return;
  }
  add("mask", "run|low|high|spread, count|contiguous, *", kMaskLanes,
      "such a mask is the lanes from 0 on");
  if (kind.signature->Has(isa::Param::kCount)) {
    add("count count", "high-1|high, *", kBounds,
        "more elements than UB holds");
  }
  add("mask mask", "large|high-1|high, float|int32|uint32", kMaskContiguous,
      "at most 64 for 32-bit types");
  const auto dst_blk = isa::NameOf(*kind.signature, isa::Param::kDstBlkStride);
  // Copy has it where a single DataBlock takes part.
  const bool packs = kind.signature->PacksBits();
  const bool needs_stride = kind.signature->Has(isa::Param::kCount) && !packs;
  if (packs) {
    add("alone",
        fmt::format("{}, atlas-training|atlas-inference-aicore|"
                    "atlas-200i-500-a2",
                    kind.Rule(kCmpMode).text()),
        kCmpMode, "no int32 there, or int32 by every mode");
    add("count count", "low+1|small|medium, *", kCountLength,
        "whole 256 bytes");
    add("mask", "one, count, *", kCountLength, "whole 256 bytes");
    add("mask", "first, count, half|int16|uint16", kCountLength,
        "whole 256 bytes");
  }
  for (const std::string_view form : {"mask", "mask[]"}) {
    if (!needs_stride) break;
    add(fmt::format("{} {}", form, dst_blk), "low, *", kDstBlkStrideZero,
        "rejected");
  }
  const auto add_lacks = [&](std::string_view group, std::string_view before,
                             std::string_view behind) {
    for (const auto& [product, type] : isa::FindInstruction(op)->lacks) {
      const std::string_view lacking = isa::Name(product);
      add(group,
          fmt::format("{}{}, {}{}", before, isa::Name(type), lacking, behind),
          kDtype, fmt::format("not on {}", lacking));
    }
  };
  add_lacks("dtype", "", "");
  if (!isa::FindInstruction(op)->Has({isa::Product::kAtlasTraining, edition})) {
    all.push_back({"program", "step",
                   fmt::format("{}, SetMaskCount|SetMaskNorm|ResetMask, "
                               "rejected",
                               op),
                   fmt::format("STATE-MASK-PRODUCT: legal on all products that "
                               "have {}",
                               op)});
  }
  const bool selects = kind.signature->Has(isa::Param::kSelMode);
  if (selects) {
    add("alone",
        fmt::format("{}, atlas-inference-aicore|atlas-a2|atlas-a3|"
                    "atlas-200i-500-a2",
                    kind.Rule(kSelMode).text()),
        kSelMode, "every mode is allowed there");
  }
  // Bits of a selection may be overlapped, too.
  const std::string bounds(kind.Rule(kBounds).text());
  all.push_back(
      {slug, "together",
       selects ? bounds
               : fmt::format("{}|{}", bounds, kind.Rule(kOverlapCount).text()),
       "looked at only where no other rule is broken"});
  const std::string off = "atlas-a2 ieee|atlas-a3 ieee";
  if (Computes(ValuesOf(op).use)) {
    add("event", "overflowed|nan-made, half, " + on, kValue,
        "in saturation mode the result is finite");
  }
  for (const std::string_view mode : {" saturating", " ieee"}) {
    add_lacks("event", "*, ", mode);
    add_lacks("integer", "*, ", mode);
  }
  if (!isa::FindRule(kind.Rule(kIntegerOverflow).text())) return;
  add("integer", "integer-saturated, *, " + off, kIntegerOverflow,
      "saturation mode is off");
  add("integer", "integer-wrapped, *, " + on, kIntegerOverflow,
      "saturation mode is on");
}

const std::vector<Never>& OwnRows() {
  static const std::vector<Never> rows = {
      // Arithmetic.
      {"*", "event",
       "saturated-high|saturated-low|nan-saturated|nan-swallowed, float, *",
       "STATE-SATURATION: float is always IEEE"},
      {"*", "event",
       "saturated-high|saturated-low|nan-saturated|nan-swallowed, half, "
       "atlas-a2 ieee|atlas-a3 ieee",
       "STATE-SATURATION: saturation mode is off"},

      // Layouts and masks.
      {"vec_trans", "layout", "src, one-empty, *",
       "VT-REPEAT: there is at least one iteration"},
      {"vec_trans", "layout", "src, shifted, *",
       "VT-OVERLAP: source and destination blocks coincide or are apart"},
      {"brcb", "layout", "src, running|same-start|shifted, *",
       "BRCB-OVERLAP: dst and src share no byte"},
      {"repeat_reduce_sum", "mask", "run|low|high|spread, call, *",
       "RRS-ELEMS: elemsInOneRepeat counts from lane 0 on"},
      {"*", "mask", "high|spread, *, float|int32|uint32",
       "a 32-bit type has the lanes 0 to 63 only"},

      // Values of fields.
      {"repeat_reduce_sum", "elemsInOneRepeat", "high-1|high, float",
       "RRS-ELEMS: at most 64 for float"},
      {"data_copy", "count count", "high-1|high, *",
       "DC-BOUNDS: more bytes than any local memory holds"},
      {"data_copy_pad", "blockLen", "low+1|high, half",
       "DCP-BLOCK-LEN: a multiple of the element"},
      {"data_copy_pad", "padParams blockLen", "low+1|high, half",
       "DCP-BLOCK-LEN: a multiple of the element"},
      {"data_copy_pad", "padParams leftPadding", "high-1|high, half",
       "DCP-PADDING: at most 16 of half"},
      {"data_copy_pad", "padParams rightPadding", "high-1|high, half",
       "DCP-PADDING: at most 16 of half"},
      {"brcb", "dstBlkStride", "low, *", "BRCB-DST-BLK-STRIDE-ZERO: rejected"},
      {"cast", "mask", "high|spread, *, bfloat16|int64",
       "CAST-MASK-LANES: their results are of 32 bits or more"},
      {"cast", "mask mask", "large|high-1|high, bfloat16|int64",
       "CAST-MASK-CONTIGUOUS: at most 64 for results of 32 bits"},
      {"cast", "layout", "src, same-start, int8|uint8|bfloat16",
       "CAST-OVERLAP-ITERATION: every result is wider and begins there"},
      {"cast", "event", "subnormal, float, *",
       "CAST-VALUE: halves and whole numbers are normal as floats, and what "
       "bfloat16 gives is not counted"},
      {"cast", "event", "overflowed, float, *",
       "CAST-VALUE: float has the range of every other type"},
      {"add_relu_cast|sub_relu_cast", "event", "*, float, *",
       "ADD-RELU-CAST-DTYPE, SUB-RELU-CAST-DTYPE: results are half or int8"},
      {"compare", "mask",
       "one|first|run|low, contiguous|bitwise|register, int32",
       "COMPARE-MASK-LANES: without effect where there is int32"},
      {"create_vec_index", "event", "overflowed, float, *",
       "CREATE-VEC-INDEX-VALUE: numbers of lanes are far below the distance of "
       "the largest floats"},
      {"ln", "event", "subnormal, *, *",
       "LN-VALUE: beside 1 results are as far from 0 as numbers from 1"},
      {"rsqrt", "event", "subnormal, *, *",
       "RSQRT-VALUE: roots of the largest numbers are far from the largest"},
      {"sqrt", "event", "subnormal, *, *",
       "SQRT-VALUE: roots of the smallest numbers are normal"},
      {"trowprod", "columns", "0, no-tail, *, *, *",
       "TRP-VALID-ZERO: no columns are rejected"},
      {"trowprod", "integer",
       "integer-saturated, *, atlas-a2 ieee|atlas-a3 ieee",
       "TRP-INTEGER-OVERFLOW: saturation mode is off"},
      {"trowprod", "integer",
       "integer-wrapped, *, atlas-a2 saturating|atlas-a3 saturating",
       "TRP-INTEGER-OVERFLOW: saturation mode is on"},

      // Rules.
      {"shift_right", "alone", "SHIFT-RIGHT-ROUND-EN, atlas-a2|atlas-a3",
       "SHIFT-RIGHT-ROUND-EN: roundEn is allowed there"},
      {"data_copy", "alone", "DC-DTYPE, atlas-a2|atlas-a3|atlas-200i-500-a2",
       "DC-DTYPE: every type is allowed there"},
      {"data_copy", "alone",
       "DC-MIXED, atlas-training|atlas-inference-aicore|"
       "atlas-inference-vectorcore|atlas-200i-500-a2",
       "DC-PRODUCT: mixed types break it as well"},
      {"data_copy", "alone",
       "DC-OVERLAP, atlas-inference-vectorcore|atlas-200i-500-a2",
       "DC-ROUTE: every route leads from one memory to another"},
      {"data_copy", "together", "DC-BOUNDS",
       "DC-BOUNDS: looked at only where no other rule is broken"},
      {"data_copy_pad", "alone", "DCP-DTYPE, atlas-a2|atlas-a3",
       "DCP-DTYPE: every type is allowed there"},
      {"data_copy_pad", "alone", "DCP-PADDING-VALUE, atlas-200i-500-a2",
       "DCP-DTYPE: no type of 64 bits there"},
      {"data_copy_pad", "together", "DCP-BOUNDS|DCP-BARRIER",
       "looked at only where no other rule is broken"},
      {"trowprod", "together", "TRP-BOUNDS|TRP-OVERLAP",
       "looked at only where no other rule is broken"},
      {"vec_trans", "together", "VT-BOUNDS|VT-OVERLAP",
       "looked at only where no other rule is broken"},
      {"brcb", "together", "BRCB-BOUNDS|BRCB-OVERLAP",
       "looked at only where no other rule is broken"},
      {"data_copy", "unsupported", "atlas-a2|atlas-a3",
       "DC-PRODUCT: supported, mixed types too"},
      {"data_copy_pad", "unsupported", "atlas-a2|atlas-a3|atlas-200i-500-a2",
       "DCP-PRODUCT: supported"},
      {"trowprod", "unsupported", "atlas-a2|atlas-a3",
       "TRP-PRODUCT: supported"},
      {"brcb", "unsupported", "atlas-inference-aicore|atlas-a2|atlas-a3",
       "BRCB-PRODUCT: supported"},
      {"vec_trans", "unsupported",
       "atlas-training|atlas-inference-aicore|atlas-inference-vectorcore|"
       "atlas-a2|atlas-200i-500-a2|atlas-200-300-500",
       "VT-PRODUCT: supported"},
      {"data_copy", "dtype",
       "bfloat16, atlas-training|atlas-inference-aicore|"
       "atlas-inference-vectorcore",
       "DC-DTYPE: no bfloat16 there"},
      {"brcb", "dtype", "bfloat16, atlas-inference-aicore",
       "BRCB-DTYPE: no bfloat16 there"},
      {"data_copy_pad", "dtype", "int64|uint64|double, atlas-200i-500-a2",
       "DCP-DTYPE: no type of 64 bits there"},

      // Programs.
      {"program", "step",
       "*, SetVectorMask|PipeBarrier|SetFlag|WaitFlag, rejected",
       "no rule rejects it"},
      {"program", "step",
       "TROWPROD|DataCopyPad|Brcb|SetMaskCount|SetMaskNorm|ResetMask, "
       "SetMaskCount|SetMaskNorm|ResetMask, rejected",
       "STATE-MASK-PRODUCT: legal on all products that have the first"},
      {"program", "step",
       "SetMaskCount, RepeatReduceSum|WholeReduceSum|BlockReduceMax|"
       "BlockReduceMin|BlockReduceSum|PairReduceSum|WholeReduceMax|"
       "WholeReduceMin|Copy, executed|rejected",
       "STATE-MASK-MODE: unsupported in counter mode"},
      {"program", "step", "TROWPROD, SetSaturation, rejected",
       "STATE-SATURATION-PRODUCT: legal on all products that have TROWPROD"},
  };
  return rows;
}

std::vector<Never> TableOf(isa::Edition edition) {
  std::vector<Never> all;
  for (const isa::Call& kind : isa::CallKinds()) {
    if (kind.signature->IsMasked()) Add(kind, edition, all);
  }
  std::ranges::copy(OwnRows(), std::back_inserter(all));
  if (edition == isa::Edition::k2024) {  // later ones allow no block of these
    all.push_back({"data_copy", "params blockLen", "high-1|high, *",
                   "DC-BOUNDS: more bytes than any local memory holds"});
  }
  return all;
}

const std::vector<Never>& Table(isa::Edition edition) {
  static const std::vector<Never> newest = TableOf(isa::kNewestEdition);
  static const std::vector<Never> older = TableOf(isa::Edition::k2024);
  return edition == isa::kNewestEdition ? newest : older;
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

bool AreAmong(const std::vector<std::string_view>& words,
              std::string_view never) {
  return std::ranges::all_of(words, [&](std::string_view word) {
    const std::size_t end = std::min(never.find(", "), never.size());
    const bool is_among = IsAmong(word, never.substr(0, end));
    never.remove_prefix(std::min(end + 2, never.size()));
    return is_among;
  });
}

}  // namespace

std::optional<std::string_view> WhyNever(Bin bin, isa::Edition edition) {
  const Model& model = Model::Get(edition);
  const Group& group = model.GroupOf(bin);
  const auto words = model.BinWords(bin);
  for (const Never& never : Table(edition)) {
    if (never.group != group.name || !IsAmong(group.slug, never.slug)) continue;
    if (AreAmong(words, never.words)) return never.reason;
  }
  return std::nullopt;
}

}  // namespace lanediff::make::coverage
