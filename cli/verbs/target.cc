// What an author of a target runs first: lanediff target check TARGET.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/target_options.h"
#include "cli/verbs.h"
#include "cli/verbs/target/skeleton.h"
#include "diff/check.h"
#include "diff/outside/outside_target.h"
#include "diff/outside/register.h"
#include "diff/targets/find_target.h"
#include "isa/catalogue.h"
#include "make/sweep/sweep.h"
#include "reports/printable.h"

namespace lanediff::cli {
namespace {

constexpr std::size_t kGuardCases = 40;
/// A target may do but some forms of an instruction.
constexpr std::size_t kSamples = 600;

struct TargetVerbOptions {
  std::string what;
  std::string language;
  TargetOptions target;
};

/// A line for each question, and what they come to.
class Lines {
 public:
  void Good(const std::string& question, const std::string& answer) {
    fmt::print("ok    {}: {}\n", question, reports::InOneLine(answer));
  }
  void Bad(const std::string& question, const std::string& answer, int status) {
    fmt::print("FAIL  {}: {}\n", question, reports::InOneLine(answer));
    status_ = Worse(status_, status);
  }
  int status() const { return status_; }

 private:
  int status_ = kAgree;
};

/// Cases of one room that the target claims, by what the oracle makes of them.
struct Samples {
  std::vector<Case> legal;
  std::vector<Case> illegal;
};

bool IsRefused(const Case& c, const diff::Target& oracle) {
  const auto outcome = oracle.Run(c);
  return outcome && outcome->rejected();
}

Samples SamplesOf(std::string_view room, const diff::Capabilities& can,
                  const diff::Target& oracle) {
  Samples samples;
  make::ForEachSweepCase(
      room, [](std::uint64_t) { return true; },
      [&](make::SweepCase&& swept) {
        if (!diff::BeyondCapabilities(swept.c, can)) {
          auto& cases =
              IsRefused(swept.c, oracle) ? samples.illegal : samples.legal;
          if (cases.size() < kSamples) cases.push_back(std::move(swept.c));
        }
        return samples.legal.size() < kSamples ||
               samples.illegal.size() < kSamples;
      });
  return samples;
}

/// The status of a comparison, and its words.
int StatusOf(const diff::Comparison& result) {
  if (result.findings.empty()) return result.unsupported ? kUsage : kAgree;
  return diff::IsFailure(result.findings.front().kind) ? kTargetFailed
                                                       : kDisagreement;
}

std::string WordsOf(const diff::Comparison& result) {
  if (!result.findings.empty()) return result.findings.front().message;
  if (result.unsupported) {
    return result.why.empty() ? "unsupported" : result.why;
  }
  if (!result.tolerated.empty()) {
    return "executed, as it checks no rules (tolerated)";
  }
  return result.rejected ? "rejected" : "executed, as documented";
}

class Checker {
 public:
  explicit Checker(const diff::Target& target)
      : target_(target),
        can_(target.capabilities()),
        oracle_(**diff::FindTarget("oracle")) {}

  int Run() {
    const auto* const outside = dynamic_cast<const diff::Outside*>(&target_);
    lines_.Good("handshake", outside != nullptr
                                 ? outside->SelfText()
                                 : std::string(target_.description()));
    for (const isa::Instruction& instruction : isa::Instructions()) {
      if (Claims(instruction.op)) CheckInstruction(instruction);
    }
    CheckRepeated();
    if (outside != nullptr) CheckUnknown(*outside);
    CheckGuard();
    CheckClosing();
    return lines_.status();
  }

 private:
  bool Claims(std::string_view op) const {
    return !can_.instructions || std::ranges::find(*can_.instructions, op) !=
                                     can_.instructions->end();
  }

  void Tell(const std::string& question, const diff::Comparison& result) {
    const int status = StatusOf(result);
    if (status == kAgree) {
      lines_.Good(question, WordsOf(result));
    } else {
      lines_.Bad(question, WordsOf(result), status);
    }
  }

  /// The first of `cases` that the target can do, else the last.
  void TellFirst(const std::string& question, const std::vector<Case>& cases) {
    if (cases.empty()) return;
    for (const Case& c : cases) {
      const diff::Comparison result = diff::CheckCase(c, target_, oracle_);
      if (result.unsupported && &c != &cases.back()) continue;
      // What it can't do it need not refuse.
      if (result.unsupported && question.ends_with("illegal")) {
        lines_.Good(question, WordsOf(result));
      } else {
        Tell(question, result);
      }
      return;
    }
  }

  void CheckInstruction(const isa::Instruction& instruction) {
    Samples samples = SamplesOf(instruction.room, can_, oracle_);
    const std::string op(instruction.op);
    if (samples.legal.empty()) {
      lines_.Bad(op, "its capabilities leave no legal case of it", kUsage);
      return;
    }
    TellFirst(op + ", legal", samples.legal);
    TellFirst(op + ", illegal", samples.illegal);
    samples.legal.resize(std::min(samples.legal.size(), kGuardCases));
    std::ranges::move(samples.legal, std::back_inserter(legal_));
  }

  void CheckRepeated() {
    if (legal_.empty()) return;
    const auto first = target_.Run(legal_.front());
    const auto second = target_.Run(legal_.front());
    if (!first || !second) {
      lines_.Bad("repeated case", (first ? second : first).error().why,
                 kTargetFailed);
    } else if (*first != *second) {
      lines_.Bad("repeated case", "the second outcome is another one",
                 kDisagreement);
    } else {
      lines_.Good("repeated case", "the same outcome");
    }
  }

  void CheckUnknown(const diff::Outside& outside) {
    const std::string question = "unknown instruction";
    const auto said = outside.AskUnknown();
    if (!said) {
      lines_.Bad(question, said.error().why, kTargetFailed);
    } else if (*said == "executed") {
      lines_.Bad(question, "it claims to have executed it", kDisagreement);
    } else {
      lines_.Good(question, *said);
    }
  }

  /// Many cases lie flush with the ends of their memories.
  void CheckGuard() {
    for (const Case& c : legal_) {
      const diff::Comparison result = diff::CompareCase(c, target_, oracle_);
      const bool stray =
          std::ranges::any_of(result.findings, [](const diff::Finding& f) {
            return diff::IsFailure(f.kind) || f.signature.contains("/outside/");
          });
      if (!stray) continue;
      lines_.Bad("memory guard",
                 fmt::format("{}: {}", c.id, result.findings.front().message),
                 StatusOf(result));
      return;
    }
    lines_.Good("memory guard",
                fmt::format("{} legal cases, no byte outside", legal_.size()));
  }

  void CheckClosing() {
    const auto complaints = diff::EndOutsideTargets();
    for (const std::string& line : complaints) {
      lines_.Bad("closing", line, kTargetFailed);
    }
    if (complaints.empty()) lines_.Good("closing", "all processes ended well");
  }

  const diff::Target& target_;
  diff::Capabilities can_;
  const diff::Target& oracle_;
  std::vector<Case> legal_;
  Lines lines_;
};

int RunNew(const TargetVerbOptions& options) {
  const auto language = isa::Parse<Language>(options.language);
  if (!language) {
    return FailUsage("target new: --language python, c or c++ is missing");
  }
  return WriteSkeleton(*language, options.target.name);
}

int RunTarget(const TargetVerbOptions& options) {
  if (options.what == "new") return RunNew(options);
  if (!options.language.empty()) {
    return FailUsage("target check: --language is for new");
  }
  const auto target = FindTarget(options.target, Takes::kRunning);
  if (!target) return target.error();
  WatchInterrupt();
  return Checker(**target).Run();
}

}  // namespace

void AddTargetVerb(CommandLine& line) {
  const auto options = std::make_shared<TargetVerbOptions>();
  Verb verb =
      line.Add("target", "begin a target, check that it can be talked to",
               [options] { return RunTarget(*options); });
  verb.Footer(
      "\"lanediff target check TARGET\" asks the target who it is, for a legal "
      "and an illegal case of each instruction that it claims, for one of them "
      "twice, and for an instruction that there is none of; looks whether it "
      "keeps to its memories; and lets it end. One line each; status 0: all is "
      "well. \"lanediff target new --language python NAME\" writes one to "
      "begin "
      "with.");
  verb.Add("WHAT", options->what, "check or new")
      .Required()
      .OneOf({"check", "new"});
  verb.Add("TARGET", options->target.name,
           "exec:COMMAND, plugin:PATH, or any other; the name of a new one")
      .Required();
  verb.Add("--language", options->language, "of a new one")
      .OneOf(AllWords<Language>());
  AddTargetLimits(verb, options->target);
}

}  // namespace lanediff::cli
