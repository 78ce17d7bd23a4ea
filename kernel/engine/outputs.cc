// Global memory by arguments: where bytes are, and what of
// an output no block has written.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "isa/data_copy.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "kernel/engine/inside.h"

namespace lanediff::kernel {
namespace {

/// Bytes of the last DataBlock of a buffer that hosts round up to.
constexpr std::int64_t kPadding = isa::kDataBlockBytes;

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Bytes of an element of the call's operand; 1 where nothing gives its type.
std::int64_t ElementOf(const isa::Step& step, std::string_view operand) {
  return std::visit(
      [&]<class S>(const S& s) -> std::int64_t {
        if constexpr (std::same_as<S, isa::Carried>) {
          for (const isa::CarriedOperand& one : s.operands) {
            if (isa::Name(one.name) == operand && one.operand.dtype) {
              return isa::SizeBytes(*one.operand.dtype);
            }
          }
          return 1;
        } else if constexpr (requires { s.dtype; }) {
          return isa::SizeBytes(s.dtype);
        } else {
          return 1;
        }
      },
      step);
}

/// "elements 8 to 11", "element 8", "bytes 0 to 31".
std::string ElementsText(const GmArgument& argument, std::int64_t element,
                         std::int64_t at, std::int64_t end) {
  const std::string_view unit = element > 1 ? "element" : "byte";
  const std::int64_t first = (at - argument.at) / element;
  const std::int64_t last = (end - 1 - argument.at) / element;
  return first >= last ? fmt::format("{} {}", unit, first)
                       : fmt::format("{}s {} to {}", unit, first, last);
}

/// What is unwritten of an argument: begin and end of each run.
Runs LeftOf(const GmArgument& argument, const Runs& unwritten) {
  Runs left;
  for (const auto& [at, count] : unwritten) {
    const std::int64_t begin = std::max(at, argument.at);
    const std::int64_t end = std::min(at + count, argument.end);
    if (begin < end) left.emplace_back(begin, end);
  }
  return left;
}

}  // namespace

std::string Engine::Inside::PlaceInGm(std::int64_t at, std::int64_t end) const {
  const GmArgument* const argument = gm.ArgumentAt(at);
  if (argument == nullptr) return fmt::format("GM [{},{})", at, end);
  return fmt::format(
      "argument {}, {}", argument->number,
      ElementsText(*argument, std::max<std::int64_t>(argument->element, 1), at,
                   std::min(end, argument->end)));
}

std::string Engine::Inside::ArgumentText(std::int64_t at, std::int64_t end,
                                         std::size_t step,
                                         std::string_view operand) const {
  const GmArgument* argument = gm.ArgumentAt(at);
  if (argument == nullptr) argument = gm.ArgumentBefore(at);
  if (argument == nullptr) return "";
  const Logged* const logged = log.At(step);
  std::int64_t element = argument->element;
  if (element == 0) {
    element = logged == nullptr ? 1 : ElementOf(logged->step, operand);
  }
  return fmt::format(
      " (argument {}, {}{})", argument->number,
      ElementsText(*argument, element, at, end),
      end > argument->end
          ? fmt::format(" of {}", (argument->end - argument->at) / element)
          : "");
}

// ---- Copies that are cut to whole DataBlocks --------------------------------

void Engine::Inside::NoteCut(isa::RuleId rule, std::size_t step) {
  if (rule != isa::dc::kCountFloor && rule != isa::dc::kCountEmpty) return;
  const Logged* const logged = log.At(step);
  const auto* const copy =
      logged == nullptr ? nullptr : std::get_if<isa::DataCopy>(&logged->step);
  if (copy == nullptr) return;
  const std::int64_t bytes = copy->count * isa::SizeBytes(copy->dtype);
  const std::int64_t copied =
      bytes / isa::kDataBlockBytes * isa::kDataBlockBytes;
  constexpr std::size_t kMost = 10'000;
  if (cuts.size() >= kMost) cuts.erase(cuts.begin());
  cuts.push_back({.memory = isa::MemoryAt(facts.product, copy->dst.position),
                  .block = block,
                  .at = copy->dst.at + copied,
                  .end = copy->dst.at + bytes,
                  .step = step,
                  .bytes = bytes,
                  .rule = rule});
}

/// The last copy that left one of the bytes out; null if there is none.
const Engine::Inside::Cut* Engine::Inside::CutOf(isa::Memory memory,
                                                 std::int64_t at,
                                                 std::int64_t end) const {
  const auto cut = std::find_if(cuts.rbegin(), cuts.rend(), [&](const Cut& c) {
    return c.memory == memory && c.at < end && at < c.end &&
           (memory == isa::Memory::kGm || c.block == block);
  });
  return cut == cuts.rend() ? nullptr : &*cut;
}

/// "; DataCopy a.cpp:27 copies 32 of 48 bytes, whole DataBlocks of 32 alone
/// (DC-COUNT-FLOOR)"; "" of none.
std::string Engine::Inside::CutText(const Cut* cut) const {
  if (cut == nullptr) return "";
  return fmt::format(
      "; {} copies {} of {} bytes, whole DataBlocks of 32 alone "
      "({})",
      CallText(cut->step), cut->bytes - (cut->end - cut->at), cut->bytes,
      cut->rule.text());
}

// ---- INIT-OUTPUT ------------------------------------------------------------

/// What kernels have left unwritten is known from here on, to each byte.
void Engine::Inside::KeepUnwritten() {
  Runs runs;
  for (const auto& [at, bytes] : gm.unwritten()) {
    for (const lint::Range& range :
         walk->UnwrittenIn(isa::Memory::kGm, {at, at + bytes})) {
      runs.emplace_back(range.begin, range.size());
    }
  }
  gm.KeepUnwritten(runs);
  gm.Look();
}

/// Of a launch whose blocks all came to their end. Else the bytes are unknown,
/// because of the call that ended a block.
void Engine::Inside::ReportOutputs() {
  const bool refused = counts.refused != refused_before;
  for (const GmArgument& argument : gm.arguments()) {
    if (!argument.output) continue;
    if (!refused && !cut_short) {
      ReportOutput(argument);
      continue;
    }
    for (const auto& [begin, end] : LeftOf(argument, gm.unwritten())) {
      if (refused || ended_by.empty()) {
        counts.unknown_bytes += static_cast<std::uint64_t>(end - begin);
      } else {
        CountUnknown(SourceOf(ended_by.begin()->second), end - begin,
                     PlaceInGm(begin, end));
      }
    }
  }
}

void Engine::Inside::ReportOutput(const GmArgument& argument) {
  const Runs left = LeftOf(argument, gm.unwritten());
  std::int64_t bytes = 0;
  for (const auto& [begin, end] : left) bytes += end - begin;
  if (left.empty()) return;
  const std::int64_t element = std::max<std::int64_t>(argument.element, 1);
  const Cut* cut = nullptr;
  std::vector<std::string> ranges;
  constexpr std::size_t kMostRanges = 4;
  for (const auto& [begin, end] : left) {
    if (cut == nullptr) cut = CutOf(isa::Memory::kGm, begin, end);
    if (ranges.size() < kMostRanges) {
      ranges.push_back(ElementsText(argument, element, begin, end));
    }
  }
  if (ranges.size() < left.size()) {
    ranges.push_back(
        fmt::format("{} ranges more", left.size() - ranges.size()));
  }
  const std::string_view unit = element > 1 ? "elements" : "bytes";
  const std::string message = fmt::format(
      "{} leaves {} of argument {} unwritten, {} of {} {}{}", kernel,
      fmt::join(ranges, ", "), argument.number, (bytes + element - 1) / element,
      (argument.end - argument.at) / element, unit, CutText(cut));
  const Site site =
      sites[sites.Of(launched_at, isa::Name(isa::ResourceName::kLaunch))].site;
  // One whole DataBlock at the end may be what the host has rounded up to.
  const bool is_padding = left.size() == 1 && cut == nullptr &&
                          left[0].second == argument.end && bytes == kPadding &&
                          left[0].first > argument.at &&
                          (left[0].first - argument.at) % kPadding == 0;
  if (is_padding) {
    findings.Noted({std::string(isa::sync::kInitOutput.text()), site,
                    message + "; if the host has rounded its size up, declare "
                              "it in-out",
                    1});
    return;
  }
  Finding finding;
  finding.rule = isa::sync::kInitOutput.text();
  finding.group = Group::kInitcheck;
  finding.later.site = site;
  finding.later.op = kernel;
  finding.bytes = Bytes{isa::Memory::kGm, left[0].first,
                        left.back().second - left[0].first};
  finding.launch = std::max<std::int64_t>(launch, 0);
  finding.message = message;
  if (cut != nullptr) {
    finding.follows_from =
        Reported({std::string(cut->rule.text()), SiteOf(cut->step)});
  }
  finding.no_case = "bytes that no step writes are in no case";
  findings.Found(std::move(finding));
}

}  // namespace lanediff::kernel
