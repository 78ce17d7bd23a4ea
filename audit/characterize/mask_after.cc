#include <fmt/format.h>

#include <array>
#include <optional>

#include "audit/characterize/probes.h"
#include "differential/testcase/element.h"
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

/// A call on all 128 lanes of halves of which those in the register come out
/// as other than zero. Which one does not matter: 1 and 1 in, and no
/// difference.
template <isa::Elementwise Call>
Call ReaderAt(std::int64_t at) {
  Call call;
  call.dtype = isa::DType::kHalf;
  call.dst = At(isa::Position::kVecout, at);
  call.src0 = At(isa::Position::kVecin, at + isa::kIterationBytes);
  call.src1 = At(isa::Position::kVecin, at + 2 * isa::kIterationBytes);
  call.form = Call::kContiguous;
  call.repeat_times = 1;
  call.repeat_params = {1, 1, 1, 8, 8, 8};
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
template <isa::Elementwise Reader>
std::int64_t Surround(Case& c) {
  MemoryImage& ub = *c.memory[kUb];
  constexpr std::int64_t kBlock = isa::kDataBlockBytes;
  const std::int64_t at = (ub.size + kBlock - 1) / kBlock * kBlock;
  ub.size = at + 3 * isa::kIterationBytes;
  ub.regions.push_back(
      Ones(at + isa::kIterationBytes, 2 * isa::kIterationBytes));
  c.program.insert(c.program.begin(),
                   isa::SetVectorMask{.high = kBefore[1], .low = kBefore[0]});
  c.program.push_back(ReaderAt<Reader>(at));
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
  isa::ForEachIntrinsic([&]<class Reader>() {
    if constexpr (isa::Elementwise<Reader>) {
      if (reply.executed()) return;
      probe = c;
      at = Surround<Reader>(probe);
      reply = runner.Run(probe);
      ++probes;
    }
  });
  ProbeResult result{
      .answer = WhyNoAnswer(reply), .note = reply.why, .probes = probes};
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

template <isa::Elementwise Call>
std::vector<Form> FormsOf(const Case& c, const Call& call) {
  std::vector<Form> forms;
  Call masked = call;
  masked.mask = kOwnLanes;
  forms.push_back({"mask", c});
  forms.back().c.program.back() = masked;
  masked.form = Call::kBitwise;
  masked.mask = 0;
  masked.mask_words = kOwn;
  forms.push_back({"mask of words", c});
  forms.back().c.program.back() = masked;
  Call counted = call;
  counted.form = Call::kCount;
  counted.mask = 0;
  counted.repeat_times = 0;
  counted.repeat_params = {};
  counted.count = kOwnLanes;
  forms.push_back({"count", c});
  forms.back().c.program.back() = counted;
  return forms;
}

std::vector<Form> FormsOf(const Fold& fold) {
  std::vector<Form> forms;
  const Case c =
      CaseOf(fold, std::vector<double>(fold.reduces() ? kOwnLanes : 2, 1.0));
  std::visit(
      [&]<class S>(const S& call) {
        if constexpr (isa::Elementwise<S>) forms = FormsOf(c, call);
      },
      c.program.back());
  if (!forms.empty()) return forms;
  forms.push_back({"", c});
  if (auto words = c; fold.op == isa::WholeReduceSum::kOp) {
    auto& call = std::get<isa::WholeReduceSum>(words.program.back());
    call.form = isa::WholeReduceSum::kBitwise;
    call.mask = 0;
    call.mask_words = kOwn;
    forms.push_back({"mask of words", words});
  }
  return forms;
}

}  // namespace

void ProbeMaskAfter(ProbeRunner& runner, const Fold& fold, Character& profile) {
  for (Form& form : FormsOf(fold)) {
    WriteAnswer(profile, {"mask-after", fold.op, fold.dtype, form.about},
                ProbeMask(runner, std::move(form.c)));
  }
}

}  // namespace lanediff::character
