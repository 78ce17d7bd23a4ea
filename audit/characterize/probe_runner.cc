#include "audit/characterize/probe_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "audit/characterize/number.h"
#include "differential/testcase/case_writer.h"
#include "isa/catalogue.h"

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

/// Cases that an answer needs at most to be seen.
constexpr std::size_t kMostCases = 8;

/// `text` in the alphabet of ids.
std::string IdWord(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (!plain && (word.empty() || word.back() == '-')) continue;
    word += plain ? static_cast<char>(std::tolower(c)) : '-';
  }
  return word;
}

JsonText DocumentOf(Case c, const std::string& id, const std::string& target) {
  c.id = id;
  c.expect.reset();
  c.origin.emplace();
  c.origin->tool = "characterise";
  c.origin->target = target;
  return {WriteCase(c)};
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

ProbeResult ResultOf(const Reply& reply) {
  return {.answer = WhyNoAnswer(reply), .note = reply.why, .probes = 1};
}

ProbeRunner::ProbeRunner(const diff::Target& target,
                         std::function<bool()> goes_on, isa::Edition edition)
    : target_(target),
      capabilities_(target.capabilities()),
      goes_on_(std::move(goes_on)) {
  character_.target = target.name();
  character_.edition = edition;
}

Reply ProbeRunner::Failed(const diff::NoOutcome& none) {
  using Why = diff::NoOutcome::Kind;
  const bool failure = none.kind == Why::kCrash || none.kind == Why::kTimeout ||
                       none.kind == Why::kProtocol;
  character_.failures += failure;
  in_a_row_ += failure;
  hung_ += none.kind == Why::kTimeout;
  character_.gave_up = in_a_row_ >= kMostInARow || hung_ >= kMostHung ||
                       character_.failures >= kMostFailures;
  const Kind kind = none.kind == Why::kTimeout ? Kind::kHung
                    : failure                  ? Kind::kCrashed
                                               : Kind::kNotReported;
  return None(kind, none.why);
}

Reply ProbeRunner::Run(const Case& c) {
  if (character_.gave_up) return None(Kind::kNotProbed, "given up");
  character_.interrupted = character_.interrupted || (goes_on_ && !goes_on_());
  if (character_.interrupted) return None(Kind::kNotProbed, "interrupted");
  if (auto beyond = diff::BeyondCapabilities(c, capabilities_)) {
    return None(Kind::kUnsupported, *beyond);
  }
  ++character_.probes;
  auto outcome = target_.Run(c);
  if (!outcome) return Failed(outcome.error());
  in_a_row_ = 0;
  if (outcome->status == Outcome::Status::kUnsupported) {
    return None(Kind::kUnsupported, "unsupported");
  }
  if (outcome->rejected()) {
    ++character_.rejected;
    return {.kind = Kind::kRejected, .outcome = *std::move(outcome), .why = ""};
  }
  if (!outcome->memory) {
    return None(Kind::kNotReported, "the outcome has no memory");
  }
  ++character_.executed;
  return {.kind = Kind::kExecuted, .outcome = *std::move(outcome), .why = ""};
}

Reply ProbeRunner::RunIllegal(const Case& c) {
  in_a_row_ = 0;
  Reply reply = Run(c);
  in_a_row_ = 0;
  return reply;
}

Answer& ProbeRunner::Write(const Topic& topic, ProbeResult result) {
  const isa::Instruction* const instruction = isa::FindInstruction(topic.op);
  Answer answer{.question = std::string(topic.question),
                .instruction = std::string(topic.op),
                .dtype = std::string(isa::Name(topic.dtype)),
                .about = topic.about,
                .answer = std::move(result.answer),
                .tree = {},
                .length = topic.length,
                .note = std::move(result.note),
                .probes = result.probes,
                .cases = {}};
  std::string id =
      fmt::format("characterise/{}/{}-{}",
                  instruction == nullptr ? IdWord(topic.op) : instruction->slug,
                  topic.question, isa::Name(topic.dtype));
  if (!topic.about.empty()) id += "-" + IdWord(topic.about);
  if (topic.length != 0) id += fmt::format("-of-{}", topic.length);
  for (std::size_t i = 0; i < result.cases.size() && i < kMostCases; ++i) {
    answer.cases.push_back(DocumentOf(std::move(result.cases[i]),
                                      fmt::format("{}-{}", id, i),
                                      character_.target));
  }
  return character_.answers.emplace_back(std::move(answer));
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

double Prober::Value(const std::vector<double>& leaves) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!before_) before_ = probes_;
  if (failed()) return kNone;
  const auto value = Probe(leaves);
  cases_.push_back(Shown());
  failure_ = why_;
  return value.value_or(kNone);
}

ProbeResult Prober::Finish(std::string answer, std::string note) {
  if (failed()) {
    answer = std::exchange(failure_, {});
    note.clear();
  }
  return {.answer = std::move(answer),
          .note = std::move(note),
          .cases = std::exchange(cases_, {}),
          .probes = probes_ - std::exchange(before_, {}).value_or(probes_)};
}

}  // namespace lanediff::character
