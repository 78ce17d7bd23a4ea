#include "audit/characterize/profile_builder.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <utility>

#include "differential/testcase/case_writer.h"
#include "isa/catalogue.h"

namespace lanediff::character {
namespace {

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

Answer& WriteAnswer(Character& profile, const Topic& topic,
                    ProbeResult result) {
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
                                      profile.target));
  }
  return profile.answers.emplace_back(std::move(answer));
}

double ProbeSeries::Probe(const std::vector<double>& leaves) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (failed()) return kNone;
  const auto value = prober_.Probe(leaves);
  cases_.push_back(prober_.Shown());
  why_ = prober_.why();
  return value.value_or(kNone);
}

ProbeResult ProbeSeries::Finish(std::string answer, std::string note) {
  if (failed()) {
    answer = why_;
    note.clear();
  }
  return {.answer = std::move(answer),
          .note = std::move(note),
          .cases = std::move(cases_),
          .probes = prober_.probes() - before_};
}

}  // namespace lanediff::character
