#include "audit/characterize/probe_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "audit/characterize/number.h"

namespace lanediff::character {
namespace {

using Kind = Reply::Kind;

/// A target with so many failures in a row, hangs or failures in all is given
/// up: a hang takes more time than a crash.
constexpr std::uint64_t kMostInARow = 8;
constexpr std::uint64_t kMostHung = 16;
constexpr std::uint64_t kMostFailures = 400;

Reply None(Kind kind, std::string why) {
  return {.kind = kind, .outcome = {}, .why = std::move(why)};
}

void Put(const Region& region, std::vector<std::uint8_t>& bytes) {
  for (std::size_t i = 0; i < region.bytes.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(region.at) + i;
    if (at < bytes.size()) bytes[at] = region.bytes[i];
  }
}

}  // namespace

std::string WhyNoAnswer(const Reply& reply) {
  switch (reply.kind) {
    case Kind::kExecuted:
      return "";
    case Kind::kRejected:
      return "rejects a legal call";
    case Kind::kUnsupported:
      return "unsupported";
    case Kind::kCrashed:
      return "crashes";
    case Kind::kHung:
      return "does not answer in time";
    case Kind::kNotReported:
      return "not reported";
    case Kind::kNotProbed:
      return "not probed";
  }
  return "";
}

ProbeRunner::ProbeRunner(const diff::Target& target,
                         std::function<bool()> goes_on)
    : target_(target),
      capabilities_(target.capabilities()),
      goes_on_(std::move(goes_on)) {}

Reply ProbeRunner::Failed(const diff::NoOutcome& none) {
  using Why = diff::NoOutcome::Kind;
  const bool failure = none.kind == Why::kCrash || none.kind == Why::kTimeout ||
                       none.kind == Why::kProtocol;
  failures_ += failure;
  in_a_row_ += failure;
  hung_ += none.kind == Why::kTimeout;
  gave_up_ = in_a_row_ >= kMostInARow || hung_ >= kMostHung ||
             failures_ >= kMostFailures;
  const Kind kind = none.kind == Why::kTimeout ? Kind::kHung
                    : failure                  ? Kind::kCrashed
                                               : Kind::kNotReported;
  return None(kind, none.why);
}

Reply ProbeRunner::Run(const Case& c) {
  if (gave_up_) return None(Kind::kNotProbed, "given up");
  interrupted_ = interrupted_ || (goes_on_ && !goes_on_());
  if (interrupted_) return None(Kind::kNotProbed, "interrupted");
  if (auto beyond = diff::BeyondCapabilities(c, capabilities_)) {
    return None(Kind::kUnsupported, *beyond);
  }
  ++probes_;
  auto outcome = target_.Run(c);
  if (!outcome) return Failed(outcome.error());
  in_a_row_ = 0;
  if (outcome->status == Outcome::Status::kUnsupported) {
    return None(Kind::kUnsupported, "unsupported");
  }
  if (outcome->rejected()) {
    ++rejected_;
    return {.kind = Kind::kRejected, .outcome = *std::move(outcome), .why = ""};
  }
  if (!outcome->memory) {
    return None(Kind::kNotReported, "the outcome has no memory");
  }
  ++executed_;
  return {.kind = Kind::kExecuted, .outcome = *std::move(outcome), .why = ""};
}

Reply ProbeRunner::RunIllegal(const Case& c) {
  in_a_row_ = 0;
  Reply reply = Run(c);
  in_a_row_ = 0;
  return reply;
}

std::vector<std::uint8_t> MemoryAfter(const Case& c, const Outcome& outcome,
                                      isa::Memory memory) {
  const auto index = static_cast<std::size_t>(memory);
  const std::optional<MemoryImage>& image = c.memory[index];
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(SizeOf(c, memory)),
                                  image ? image->fill : std::uint8_t{0});
  if (image) {
    for (const Region& region : image->regions) Put(region, bytes);
  }
  if (outcome.memory) {
    for (const Region& region : (*outcome.memory)[index]) Put(region, bytes);
  }
  return bytes;
}

std::optional<double> Prober::Probe(std::span<const double> leaves) {
  leaves_.assign(leaves.begin(), leaves.end());
  auto value = ProbeOnce();
  if (value || !unsupported_ || fold_.reduces() || fold_.by_count) return value;
  fold_.by_count = true;
  value = ProbeOnce();
  if (value) return value;
  fold_.by_count = false;
  return value;
}

std::optional<double> Prober::ProbeOnce() {
  ++probes_;
  const Case c = CaseOf(fold_, leaves_);
  const Reply reply = runner_.Run(c);
  unsupported_ = reply.kind == Reply::Kind::kUnsupported;
  why_ = WhyNoAnswer(reply);
  found_ = why_;
  if (!reply.executed()) return std::nullopt;
  const double value =
      ResultOf(fold_, MemoryAfter(c, reply.outcome, isa::Memory::kUb));
  found_ = NumberText(value);
  return value;
}

Case Prober::Shown() const {
  Case c = CaseOf(fold_, leaves_);
  c.note = fmt::format("Found: {}.", found_);
  return c;
}

}  // namespace lanediff::character
