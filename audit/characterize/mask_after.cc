#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "audit/characterize/probes.h"
#include "differential/testcase/element.h"
#include "generators/lanewise.h"
#include "isa/step.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

constexpr auto kUb = static_cast<std::size_t>(isa::Memory::kUb);
using Words = std::array<std::uint64_t, 2>;

/// In the register before the call, and what a call masks by itself.
constexpr Words kBefore = {0x00ff00ff0f0f0f0f, 0x33335555ff00ff00};
constexpr std::int64_t kOwnLanes = 5;
constexpr Words kOwn = {0x1f, 0};

isa::Operand At(isa::Position position, std::int64_t at) {
  return {.position = position,
          .at = at,
          .bytes = isa::kIterationBytes,
          .dtype = {}};
}

/// Whether the call takes two halves, of which the register's come out as other
/// than zero: 1 and 1 in, and no difference.
bool ReadsRegister(const isa::Signature& lanewise) {
  const auto types = make::TypesOf(lanewise.op);
  return lanewise.sources() == 2 && !lanewise.Has(isa::Param::kScalar) &&
         !lanewise.PacksBits() &&
         std::ranges::find(types, isa::DType::kHalf) != types.end();
}

/// Such a call on all 128 lanes.
isa::Call ReaderAt(const isa::Signature& lanewise, std::int64_t at) {
  isa::Call call = isa::CallOf(lanewise);
  call.dst() = At(isa::Position::kVecout, at);
  call.src(0) = At(isa::Position::kVecin, at + isa::kIterationBytes);
  call.src(1) = At(isa::Position::kVecin, at + 2 * isa::kIterationBytes);
  call.form = isa::kMaskForm;
  call[isa::Param::kRepeatTimes] = 1;
  make::SetDenseStrides(call);
  call.is_set_mask = false;
  return call;
}

Region Ones(std::int64_t at, std::int64_t bytes) {
  Region region{.at = at, .dtype = isa::DType::kHalf, .bytes = {}};
  while (region.size() < bytes) {
    AppendElement(isa::DType::kHalf, ElementFromDouble(isa::DType::kHalf, 1),
                  region.bytes);
  }
  return region;
}

/// Sets the register, runs `call`, whose operands are in `c`, and reads the
/// register: its result begins at what is returned.
std::int64_t Surround(const isa::Signature& reader, Case& c) {
  MemoryImage& ub = *c.memory[kUb];
  constexpr std::int64_t kBlock = isa::kDataBlockBytes;
  const std::int64_t at = (ub.size + kBlock - 1) / kBlock * kBlock;
  ub.size = at + 3 * isa::kIterationBytes;
  ub.regions.push_back(
      Ones(at + isa::kIterationBytes, 2 * isa::kIterationBytes));
  c.program.insert(c.program.begin(),
                   isa::SetVectorMask{.high = kBefore[1], .low = kBefore[0]});
  c.program.push_back(ReaderAt(reader, at));
  return at;
}

Words RegisterAt(const std::vector<std::uint8_t>& ub, std::int64_t at) {
  Words words = {};
  for (std::size_t lane = 0; lane < 128; ++lane) {
    const std::size_t place = static_cast<std::size_t>(at) + 2 * lane;
    if (ub[place] == 0 && ub[place + 1] == 0) continue;
    words[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  return words;
}

std::string RegisterWord(const Words& found) {
  if (found == kOwn) return "its own mask";
  if (found == kBefore) return "kept";
  if (found == Words{~std::uint64_t{0}, ~std::uint64_t{0}}) return "all ones";
  if (found == Words{}) return "empty";
  return fmt::format("{:#x}, {:#x}", found[0], found[1]);
}

ProbeResult ProbeMask(ProbeRunner& runner, Case c) {
  // What of these a target has may differ; the first that runs will do.
  Reply reply;
  Case probe;
  std::uint64_t probes = 0;
  std::int64_t at = 0;
  for (const isa::Signature& reader : isa::kLanewiseRows) {
    if (reply.executed()) break;
    if (!ReadsRegister(reader)) continue;
    probe = c;
    at = Surround(reader, probe);
    reply = runner.Run(probe);
    ++probes;
  }
  ProbeResult result = ResultOf(reply);
  result.probes = probes;
  if (reply.executed()) {
    result.answer = RegisterWord(
        RegisterAt(MemoryAfter(probe, reply.outcome, isa::Memory::kUb), at));
  } else if (reply.kind == Reply::Kind::kUnsupported) {
    result.note = "no call shows the register, or no such call is supported";
  }
  result.cases.push_back(std::move(probe));
  return result;
}

/// The forms of a call, each with the first five lanes or elements.
struct Form {
  std::string about;
  Case c;
};

std::vector<Form> FormsOf(const Fold& fold) {
  using isa::Param;
  const Case c = CaseOf(
      fold, std::vector<double>(fold.reduces() ? kOwnLanes : fold.most(), 1.0));
  std::vector<Form> forms = {{fold.reduces() ? "" : "mask", c}};
  const auto& call = std::get<isa::Call>(c.program.back());
  const isa::Signature& row = *call.signature;
  if (!row.Has(Param::kMask)) return forms;
  std::get<isa::Call>(forms[0].c.program.back())[Param::kMask] = kOwnLanes;
  if (row.Has(Param::kMaskWords)) {
    isa::Call words = call;
    words.form = row.FormWith(Param::kMaskWords);
    words[Param::kMask] = 0;
    words.mask_words = kOwn;
    forms.push_back({"mask of words", c});
    forms.back().c.program.back() = words;
  }
  if (row.Has(Param::kCount)) {
    isa::Call counted = call;
    counted.form = isa::kCountForm;
    counted.params = {};
    counted[Param::kCount] = kOwnLanes;
    forms.push_back({"count", c});
    forms.back().c.program.back() = counted;
  }
  return forms;
}

}  // namespace

void ProbeMaskAfter(ProbeRunner& runner, const Fold& fold) {
  for (Form& form : FormsOf(fold)) {
    runner.Write({"mask-after", fold.op, fold.dtype, form.about},
                 ProbeMask(runner, std::move(form.c)));
  }
}

}  // namespace lanediff::character
