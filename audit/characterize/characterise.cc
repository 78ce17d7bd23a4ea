#include "audit/characterize/characterise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/characterize/fold.h"
#include "audit/characterize/order.h"
#include "audit/characterize/probe_runner.h"
#include "audit/characterize/probes.h"
#include "audit/characterize/profile_builder.h"

namespace lanediff::character {
namespace {

using Kind = FoundOrder::Kind;

struct ProbedLength {
  std::size_t length;
  FoundOrder found;
};

bool HasName(const FoundOrder& found, std::string_view name) {
  return std::ranges::count(found.names, name) != 0;
}

/// The likeliest name that fits wherever there is one; empty where none does.
std::string_view CommonName(const std::vector<ProbedLength>& all) {
  const FoundOrder* longest = nullptr;
  for (const ProbedLength& probed : all) {
    if (!probed.found.names.empty()) longest = &probed.found;
  }
  if (longest == nullptr) return {};
  for (const std::string_view name : longest->names) {
    if (std::ranges::all_of(all, [&](const ProbedLength& probed) {
          return probed.found.names.empty() || HasName(probed.found, name);
        })) {
      return name;
    }
  }
  return {};
}

std::string AnswerOf(const FoundOrder& found, std::string_view common) {
  switch (found.kind) {
    case Kind::kNoAnswer:
      return found.note;
    case Kind::kNotATree:
      return "not a fixed tree";
    case Kind::kTree:
      break;
  }
  if (found.names.empty()) return "other";
  return std::string(HasName(found, common) ? common : found.names.front());
}

void Write(const Fold& fold, ProbedLength probed, std::string_view common,
           Character& profile) {
  FoundOrder& found = probed.found;
  const std::string answer = AnswerOf(found, common);
  std::erase(found.names, std::string_view(answer));
  std::string note = found.kind == Kind::kNoAnswer ? "" : found.note;
  if (!found.names.empty()) {
    note += fmt::format("{}as well: {}", note.empty() ? "" : "; ",
                        fmt::join(found.names, ", "));
  }
  std::string about;
  if (fold.order) about = fmt::format("order {}", isa::Name(*fold.order));
  if (!fold.lanes.empty()) about = "lanes " + LeavesText(fold.lanes);
  Answer& written = WriteAnswer(
      profile, {"order", fold.op, fold.dtype, std::move(about), probed.length},
      {.answer = answer,
       .note = std::move(note),
       .cases = std::move(found.cases),
       .probes = found.probes});
  written.tree = std::move(found.tree);
}

void ProbeAll(ProbeRunner& runner, const Fold& fold,
              const std::vector<std::size_t>& lengths, Character& profile) {
  Prober prober(runner, fold);
  std::vector<ProbedLength> all;
  for (const std::size_t length : lengths) {
    if (!fold.takes(length)) continue;
    all.push_back({length, FindOrder(prober, length)});
    if (all.back().found.kind == Kind::kNoAnswer) break;
  }
  const std::string_view common = CommonName(all);
  for (ProbedLength& probed : all)
    Write(fold, std::move(probed), common, profile);
}

/// The lengths probed by default: of a sum lanes, of a product columns.
std::vector<std::size_t> DefaultLengths(const Fold& fold) {
  if (fold.combine == Combine::kProduct) {
    // Both sides of a block, a register and pairs of registers, and numbers of
    // pairs that are no power of two.
    return {1,   2,   3,   5,   17,  64,  65,  128, 129,
            192, 256, 320, 384, 448, 512, 640, 768, 1024};
  }
  return {2, 3, 5, 17, 64, 127, 128};
}

/// Probes in which order `fold` combines each of `lengths`, and a sum lanes
/// that lie apart, and writes the answers. An order with several names gets the
/// one that fits at all lengths.
void ProbeOrders(ProbeRunner& runner, const Fold& fold,
                 const std::vector<std::size_t>& lengths, Character& profile) {
  ProbeAll(runner, fold, lengths, profile);
  if (fold.combine != Combine::kSum) return;
  Fold apart = fold;
  apart.lanes = {0, 2, 3, 9, 10, 12, 21, 32, 63};
  ProbeAll(runner, apart, {apart.lanes.size()}, profile);
}

class Characterizer {
 public:
  Characterizer(const diff::Target& target, const Options& options)
      : options_(options), runner_(target, options.goes_on) {
    character_.target = target.name();
    character_.edition = options_.edition;
  }

  Character Run() {
    for (const std::string_view op : FoldOps()) {
      if (!options_.instruction.empty() && op != options_.instruction) continue;
      bool any = false;
      for (const Fold& fold :
           FoldsOf(op, runner_.capabilities(), options_.edition)) {
        any = ProbeFold(fold) || any;
      }
      if (!any) without_.insert(op);
    }
    if (!runner_.capabilities().legal_only) {
      ProbeIllegal(runner_, options_.instruction, options_.edition, without_,
                   character_);
    }
    character_.probes = runner_.probes();
    character_.executed = runner_.executed();
    character_.rejected = runner_.rejected();
    character_.failures = runner_.failures();
    character_.gave_up = runner_.gave_up();
    character_.interrupted = runner_.interrupted();
    return std::move(character_);
  }

 private:
  /// Whether the target has it.
  bool ProbeFold(const Fold& fold) {
    if (!Answers(fold)) return false;
    if (fold.reduces())
      ProbeOrders(runner_, fold, LengthsFor(fold), character_);
    ProbeArithmetic(runner_, fold, character_);
    ProbeIterations(runner_, fold, character_);
    ProbeOneDestination(runner_, fold, character_);
    ProbeOtherBytes(runner_, fold, character_);
    ProbeMaskAfter(runner_, fold, character_);
    if (fold.family() == isa::Family::kTile) ProbeOtherOrders(fold);
    return true;
  }

  std::vector<std::size_t> LengthsFor(const Fold& fold) const {
    return options_.lengths.empty() ? DefaultLengths(fold) : options_.lengths;
  }

  /// Whether it answers at all; its failure is written once.
  bool Answers(const Fold& fold) {
    Prober prober(runner_, fold);
    ProbeSeries series(prober);
    series.Probe(std::vector<double>(fold.reduces() ? 2 : fold.most(), 1.0));
    if (!series.failed()) return true;
    const bool compares =
        fold.combine == Combine::kMinimum || fold.combine == Combine::kMaximum;
    WriteAnswer(character_,
                {fold.reduces()                    ? "order"
                 : compares                        ? "nan"
                 : fold.combine == Combine::kOther ? "iterations"
                                                   : "rounding",
                 fold.op, fold.dtype},
                series.Finish(""));
    return false;
  }

  /// The orders of TROWPROD that can be requested.
  void ProbeOtherOrders(Fold fold) {
    const auto& claimed = runner_.capabilities().orders;
    for (std::size_t o = 0; o < isa::kCount<isa::Order>; ++o) {
      fold.order = static_cast<isa::Order>(o);
      if (claimed && std::ranges::count(*claimed, *fold.order) == 0) continue;
      Prober prober(runner_, fold);
      if (!prober.Probe({1, 1})) continue;
      ProbeOrders(runner_, fold, LengthsFor(fold), character_);
      ProbeArithmetic(runner_, fold, character_);
    }
  }

  const Options& options_;
  ProbeRunner runner_;
  std::set<std::string_view> without_;  ///< instructions that it has not
  Character character_;
};

}  // namespace

Character Characterise(const diff::Target& target, const Options& options) {
  return Characterizer(target, options).Run();
}

}  // namespace lanediff::character
