// What the pages of unaudited calls have: products, and types of each.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kernel/carried/parameters.h"

namespace lanediff::kernel {
namespace {

using isa::OperandName;

/// A page's products and, of each, the types: of dst, or "dst<src" where the
/// source has another one, or of the source where there is no dst, or of the
/// scalar where there is neither. A page that leaves out the types of a product
/// has none here: each type passes. Calls with forms on pages of their own have
/// a row each (`FormOf`). What needs a product beyond these is listed nowhere.
struct Page {
  std::string_view call;
  std::string_view title;
  std::string_view types;
};

// clang-format off
constexpr Page kPages[] = {
    {"Neg", "Neg(ISASI)", ""},
    {"Subs", "Subs", ""},
    {"Divs", "Divs", ""},
    {"Ands", "Ands", ""},
    {"Ors", "Ors", ""},
    {"Prelu", "Prelu(ISASI)", ""},
    {"Axpy", "Axpy", "a2 a3 310b 310p 910: half float<half float"},
    {"MulAddDst", "MulAddDst",
     "a2 a3 310p: half float<half float; 310b: int16_t uint16_t half "
     "int32_t uint32_t float"},
    {"AddDeqRelu", "AddDeqRelu", "a2 a3 310p: half<int32_t"},
    {"CastDeq", "CastDequant",
     "a2 a3: int8_t<int16_t uint8_t<int16_t half<int32_t; 310p: "
     "int8_t<int16_t uint8_t<int16_t"},
    {"CastDequant", "CastDequant",
     "a2 a3: int8_t<int16_t uint8_t<int16_t half<int32_t; 310p: "
     "int8_t<int16_t uint8_t<int16_t"},
    {"Cast", "Cast",
     "a2 a3: int4b_t<half int8_t<half uint8_t<half int16_t<half "
     "int16_t<int32_t int16_t<float half<int4b_t half<int8_t "
     "half<uint8_t half<int16_t half<int32_t half<float bfloat16_t<float "
     "int32_t<half int32_t<bfloat16_t int32_t<float int32_t<int64_t "
     "float<int16_t float<half float<bfloat16_t float<int32_t float "
     "float<int64_t int64_t<int32_t int64_t<float; 310b: int8_t<half "
     "uint8_t<half int16_t<half int16_t<int32_t int16_t<float "
     "half<int8_t half<uint8_t half<int16_t half<int32_t half<float "
     "bfloat16_t<float int32_t<half int32_t<bfloat16_t int32_t<float "
     "int32_t<int64_t float<int16_t float<half float<bfloat16_t "
     "float<int32_t float float<int64_t int64_t<int32_t int64_t<float; "
     "310p: int4b_t<half int8_t<half uint8_t<half int16_t<half "
     "int16_t<int32_t half<int8_t half<uint8_t half<int16_t half<int32_t "
     "half<float int32_t<half float<half float<int32_t int64_t<float; "
     "910: int8_t<half uint8_t<half half<int8_t half<uint8_t "
     "half<int16_t half<float int32_t<half float<half float<int32_t "
     "int64_t<float"},
    {"Copy", "Copy",
     "a2 a3 310b: int16_t uint16_t half bfloat16_t int32_t uint32_t "
     "float"},
    {"Fill", "Fill",
     "a2 a3 310p: int16_t uint16_t half int32_t uint32_t float"},
    {"InitGlobalMemory", "Fill",
     "a2 a3 310p: int16_t uint16_t half int32_t uint32_t float"},
    {"InitOutput", "Fill",
     "a2 a3 310p: int16_t uint16_t half int32_t uint32_t float"},
    {"Compare into the register", "Compare（结果存入寄存器）", "a2 a3 310p: half float"},
    {"SetCmpMask", "SetCmpMask(ISASI)",
     "a2 a3 310p: int8_t uint8_t int16_t uint16_t half bfloat16_t "
     "int32_t uint32_t float int64_t uint64_t double"},
    {"GetCmpMask", "GetCmpMask(ISASI)",
     "a2 a3 310p: int8_t uint8_t int16_t uint16_t half bfloat16_t "
     "int32_t uint32_t float"},
    {"Select", "Select", "a2 a3 310b 310p 910: half float"},
    {"GatherMask", "GatherMask",
     "a2 a3: int16_t uint16_t half bfloat16_t int32_t uint32_t float; "
     "310b 310p: int16_t uint16_t half int32_t uint32_t float"},
    {"ReduceSum", "ReduceSum", "a2 a3 310b 310p: half float; 910: half"},
    {"ReduceMax", "ReduceMax", "a2 a3 310b 310p: half float; 910: half"},
    {"ReduceMin", "ReduceMin", "a2 a3 310b 310p: half float; 910: half"},
    {"Gather", "Gather",
     "a2 a3: int16_t uint16_t half bfloat16_t int32_t uint32_t float; "
     "310b: int8_t uint8_t int16_t uint16_t half int32_t uint32_t float; "
     "310p: int16_t uint16_t half int32_t uint32_t float"},
    {"Gatherb", "Gatherb(ISASI)",
     "a2 a3: uint16_t uint32_t; 310b: int8_t uint8_t int16_t uint16_t "
     "half bfloat16_t int32_t uint32_t float int64_t"},
    {"Scatter", "Scatter(ISASI)",
     "310b: int8_t uint8_t int16_t uint16_t half int32_t uint32_t float; "
     "310p: uint16_t half uint32_t float"},
    {"Brcb", "Brcb",
     "a2 a3: int16_t uint16_t half bfloat16_t int32_t uint32_t float; "
     "310p: int16_t uint16_t half int32_t uint32_t float"},
    {"Transpose", "Transpose", "a2 a3 310b 310p 910: int16_t uint16_t half"},
    {"Transpose TRANSPOSE_ND2ND_B16", "Transpose", "a2 a3 310b 310p: uint16_t"},
    {"Transpose TRANSPOSE_NCHW2NHWC", "Transpose",
     "a2 a3 310p: int8_t uint8_t int16_t uint16_t half int32_t uint32_t "
     "float"},
    {"Transpose TRANSPOSE_NHWC2NCHW", "Transpose",
     "a2 a3 310p: int8_t uint8_t int16_t uint16_t half int32_t uint32_t "
     "float"},
    {"TransDataTo5HD", "TransDataTo5HD",
     "a2 a3 310b 310p: int8_t uint8_t int16_t uint16_t half int32_t "
     "uint32_t float; 910: int8_t uint8_t int16_t uint16_t half"},
    {"ArithProgression", "Arange", "a2 a3 310p: int16_t half int32_t float"},
    {"Sort", "Sort", "a2 a3 310p: half float"},
    {"Concat", "Concat", "a2 a3 310p: half float"},
    {"Extract", "Extract", "a2 a3 310p: half float"},
    {"Sort32", "Sort32", "a2 a3 310b: half float"},
    {"MrgSort", "MrgSort", "a2 a3 310b: half float"},
    {"MrgSort sortedNum", "MrgSort", "a2 a3 310p: half float"},
    {"RpSort16", "RpSort16", "310p: half float; 910: half"},
    {"MrgSort4", "MrgSort4", "310p: half float; 910: half"},
    {"ProposalConcat", "ProposalConcat", "310p: half float; 910: half"},
    {"ProposalExtract", "ProposalExtract", "310p: half float; 910: half"},
    {"GetReduceRepeatSumSpr", "GetReduceRepeatSumSpr(ISASI)",
     "a2 a3: half float"},
    {"GetAccVal", "GetReduceRepeatSumSpr(ISASI)", "a2 a3: half float"},
    {"GetMrgSortResult", "GetMrgSortResult", "a2 a3 310b 310p:"},
    // Calls with rules of their own: theirs are the same.
    {"Add", "Add",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half int32_t "
     "float"},
    {"Sub", "Sub",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half int32_t "
     "float"},
    {"Mul", "Mul",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half int32_t "
     "float"},
    {"Min", "Min",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half int32_t "
     "float"},
    {"Max", "Max",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half int32_t "
     "float"},
    {"Adds", "Adds",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half float"},
    {"Muls", "Muls",
     "a2 a3 310b 310p: int16_t half int32_t float; 910: half float"},
    {"Mins", "Mins", "a2 a3 310b 310p: int16_t half int32_t float"},
    {"Maxs", "Maxs", "a2 a3 310b 310p: int16_t half int32_t float"},
    {"Abs", "Abs", "a2 a3 310p 910: half float; 310b: int16_t half float"},
    {"Relu", "Relu", "a2 a3 310b 310p: half int32_t float; 910: half"},
    {"LeakyRelu", "LeakyRelu", "a2 a3 310b 310p: half float"},
    {"Div", "Div", "a2 a3 310b 310p 910: half float"},
    {"Exp", "Exp", "a2 a3 310b 310p 910: half float"},
    {"Ln", "Ln", "a2 a3 310b 310p 910: half float"},
    {"Reciprocal", "Reciprocal", "a2 a3 310b 310p 910: half float"},
    {"Rsqrt", "Rsqrt", "a2 a3 310b 310p 910: half float"},
    {"Sqrt", "Sqrt", "a2 a3 310b 310p 910: half float"},
    {"AddRelu", "AddRelu", "a2 a3 310p: int16_t half float; 310b: half float"},
    {"SubRelu", "SubRelu", "a2 a3 310p: int16_t half float; 310b: half float"},
    {"And", "And", "a2 a3 310b 310p 910: int16_t uint16_t"},
    {"Or", "Or", "a2 a3 310b 310p 910: int16_t uint16_t"},
    {"Not", "Not", "a2 a3 310b 310p 910: int16_t uint16_t"},
    {"Duplicate", "Duplicate",
     "a2 a3 310b 310p 910: int16_t uint16_t half bfloat16_t int32_t "
     "uint32_t float"},
    {"CreateVecIndex", "CreateVecIndex",
     "a2 a3 310b 310p: int16_t half int32_t float"},
    {"Compare", "Compare",
     "a2 a3: int8_t<half uint8_t<half int8_t<int32_t uint8_t<int32_t "
     "int8_t<float uint8_t<float; 310b 310p 910: int8_t<half "
     "uint8_t<half int8_t<float uint8_t<float"},
    {"CompareScalar", "Compares",
     "a2 a3: uint8_t<half uint8_t<int32_t uint8_t<float; 310b: "
     "uint8_t<int16_t uint8_t<uint16_t uint8_t<half uint8_t<int32_t "
     "uint8_t<uint32_t uint8_t<float; 310p: uint8_t<half uint8_t<float"},
    {"DataCopyPad", "DataCopyPad",
     "a2 a3: int8_t uint8_t int16_t uint16_t half bfloat16_t int32_t "
     "uint32_t float int64_t uint64_t double; 310b: int8_t uint8_t "
     "int16_t uint16_t half bfloat16_t int32_t uint32_t float"},
    {"WholeReduceSum", "WholeReduceSum", "a2 a3 310b 310p 910: half float"},
    {"RepeatReduceSum", "WholeReduceSum", "a2 a3 310b 310p 910: half float"},
    {"ShiftLeft", "ShiftLeft", "a2 a3 310b: int16_t uint16_t int32_t uint32_t"},
    {"ShiftRight", "ShiftRight",
     "a2 a3 310b: int16_t uint16_t int32_t uint32_t"},
    {"FusedMulAdd", "FusedMulAdd", "a2 a3 310b 310p: half float"},
    {"MulAddRelu", "MulAddRelu", "a2 a3 310b 310p: half float"},
    {"MulCast", "MulCast", "a2 a3 310b 310p: int8_t<half uint8_t<half"},
    {"AddReluCast", "AddReluCast",
     "a2 a3 310p: int8_t<int16_t int8_t<half half<float; 310b: "
     "int8_t<half half<float"},
    {"SubReluCast", "SubReluCast",
     "a2 a3 310p: int8_t<int16_t int8_t<half half<float; 310b: "
     "int8_t<half half<float"},
    {"BlockReduceSum", "ReduceDataBlock",
     "a2 a3 310b 310p: half float; 910: half"},
    {"BlockReduceMax", "ReduceDataBlock",
     "a2 a3 310b 310p: half float; 910: half"},
    {"BlockReduceMin", "ReduceDataBlock",
     "a2 a3 310b 310p: half float; 910: half"},
    {"PairReduceSum", "ReducePairElem",
     "a2 a3 310b 310p: half float; 910: half"},
    {"WholeReduceMax", "ReduceRepeat",
     "a2 a3 310b 310p: half float; 910: half"},
    {"WholeReduceMin", "ReduceRepeat",
     "a2 a3 310b 310p: half float; 910: half"},
};
// clang-format on

constexpr std::pair<std::string_view, isa::Product> kProducts[] = {
    {"a2", isa::Product::kAtlasA2},
    {"a3", isa::Product::kAtlasA3},
    {"310b", isa::Product::kAtlas200i500A2},
    {"310p", isa::Product::kAtlasInferenceAicore},
    {"910", isa::Product::kAtlasTraining}};

/// The parts of a text between separators, without spaces around them.
std::vector<std::string_view> Parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// "a, b or c".
std::string Either(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    text += i == 0 ? "" : last ? " or " : ", ";
    text += words[i];
  }
  return text;
}

const CarriedOperand* SourceOf(const CarriedCall& call) {
  for (const OperandName name : {OperandName::kSrc, OperandName::kSrc0}) {
    if (const auto found = carried::Find(call, name)) {
      return &call.operands[*found];
    }
  }
  return nullptr;
}

std::string FormOf(const CarriedCall& call, bool has_dst) {
  const std::string name = call.call->name;
  if (name == "Compare" && !has_dst) return "Compare into the register";
  if (const auto type = call.Word("transposeType"); !type.empty()) {
    return fmt::format("{} {}", name, type);
  }
  return call.Word("sortedNum").empty() ? name : name + " sortedNum";
}

}  // namespace

std::optional<isa::Argument> UnlistedBy(const CarriedCall& call) {
  const auto dst = carried::Find(call, OperandName::kDst);
  const std::string form = FormOf(call, dst.has_value());
  const auto* const page = std::ranges::find(kPages, form, &Page::call);
  if (page == std::end(kPages)) return std::nullopt;
  std::vector<std::string_view> products;
  for (const std::string_view group : Parts(page->types, ';')) {
    const auto listed = Parts(group.substr(0, group.find(':')), ' ');
    const auto types = Parts(group.substr(group.find(':') + 1), ' ');
    bool here = false;
    for (const auto& [name, product] : kProducts) {
      if (std::ranges::find(listed, name) == listed.end()) continue;
      products.push_back(isa::Name(product));
      here = here || product == call.product;
    }
    if (!here) continue;
    if (types.empty()) return std::nullopt;
    const CarriedOperand* const src = SourceOf(call);
    const CarriedOperand* const first = dst ? &call.operands[*dst] : src;
    std::string given(carried::DTypeName(
        first == nullptr ? call.call->scalar_dtype : first->dtype));
    if (src != nullptr && src->dtype != first->dtype) {
      given += fmt::format("<{}", carried::DTypeName(src->dtype));
    }
    if (std::ranges::find(types, given) != types.end()) return std::nullopt;
    return isa::Argument{"unlisted dtype",
                         fmt::format("{} is {}; page {} lists {} on {}",
                                     dst && src != nullptr ? "dst<src"
                                     : first != nullptr ? isa::Name(first->name)
                                                        : "the scalar",
                                     given, page->title, Either(types),
                                     isa::Name(call.product))};
  }
  return isa::Argument{"unlisted product",
                       fmt::format("the product is {}; page {} lists {}",
                                   isa::Name(call.product), page->title,
                                   products.empty() ? "none that is known here"
                                                    : Either(products))};
}

}  // namespace lanediff::kernel
