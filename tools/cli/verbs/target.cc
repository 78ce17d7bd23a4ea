// What an author of a target runs first: lanediff target check TARGET.

#include "differential/targets/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/check.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "generators/boundary/sample.h"
#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/program.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/target/skeleton.h"

namespace lanediff::cli {
namespace {

/// Systematic cases of one instruction that the target claims, spread over all
/// of them, by what the oracle makes of them.
struct Samples {
  std::vector<Case> legal;
  std::vector<Case> illegal;
};

/// Legal cases of one kind; a target runs those that it supports.
struct Probe {
  std::string what;
  std::vector<Case> cases;
};

/// Of each rule: enough to hold what every form of a call does.
constexpr std::uint64_t kSamplesOfRule = 16;
/// Pairs that are tried: a target may do but some types and forms.
constexpr std::size_t kPairs = 96;

bool SetsMask(const isa::Step& step) {
  return std::holds_alternative<isa::SetVectorMask>(step);
}

/// Whether the call takes its lanes from the mask register.
bool ReadsMaskRegister(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr && !call->is_set_mask;
}

/// Whether the call is of so many elements that they fill no whole DataBlocks.
bool HasTail(const isa::Step& step) {
  const auto* const call = std::get_if<isa::Call>(&step);
  return call != nullptr && call->Has(isa::Param::kCount) &&
         (*call)[isa::Param::kCount] % (32 / isa::SizeBytes(call->dtype)) != 0;
}

/// Programs of two calls of `legal` in which the first leaves something that
/// the second does not write over.
std::vector<Case> Pairs(const std::vector<Case>& legal,
                        const diff::Target& oracle) {
  std::vector<Case> pairs;
  const std::size_t step = std::max<std::size_t>(1, legal.size() / kPairs);
  for (std::size_t i = 0; i + 1 < legal.size(); i += step) {
    const Case& first = legal[i];
    const Case& second = legal[i + 1];
    if (first.program.size() != 1 || second.program.size() != 1) continue;
    if (first.product != second.product) continue;
    Case pair = first;
    pair.id += "-and-next";
    pair.note += "; then " + second.note;
    pair.program.push_back(second.program.front());
    MakeWellFormed(pair);  // the second may lie in other memories
    Case alone = pair;
    alone.program.erase(alone.program.begin());
    const auto both = oracle.Run(pair);
    const auto one = oracle.Run(alone);
    const auto before = oracle.Run(first);
    if (!both || !one || !before || both->rejected() || *both == *one ||
        *both == *before) {
      continue;
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

Samples SamplesOf(std::string_view slug, const diff::Capabilities& can,
                  const diff::Target& oracle) {
  const make::Sample sample =
      make::DrawSample(slug, kSamplesOfRule, {}, [&](const Case& c) {
        return std::uint64_t{!diff::BeyondCapabilities(c, can)};
      });
  Samples samples;
  make::ForEachSweepCase(
      slug, [&](std::uint64_t number) { return sample.Holds(number); },
      [&](make::SweepCase&& swept) {
        const auto outcome = oracle.Run(swept.c);
        const bool refused = outcome && outcome->rejected();
        (refused ? samples.illegal : samples.legal)
            .push_back(std::move(swept.c));
        return true;
      });
  return samples;
}

/// Of what is easily forgotten: a mask that SetVectorMask set, calls that leave
/// it as it is, counts that fill no block, and one call after another. A kind
/// that the instruction has no legal case of is left out.
std::vector<Probe> ProbesOf(const Samples& samples,
                            const diff::Target& oracle) {
  const auto all_of = [&](const std::function<bool(const Case&)>& is) {
    std::vector<Case> cases;
    for (const Case& c : samples.legal) {
      if (is(c)) cases.push_back(c);
    }
    return cases;
  };
  std::vector<Probe> probes = {
      {"after SetVectorMask", all_of([](const Case& c) {
         return std::ranges::any_of(c.program, SetsMask) &&
                ReadsMaskRegister(c.program.back());
       })},
      {"isSetMask=false", all_of([](const Case& c) {
         return c.program.size() == 1 && ReadsMaskRegister(c.program.back());
       })},
      {"count with a tail", all_of([](const Case& c) {
         return std::ranges::any_of(c.program, HasTail);
       })},
      {"two calls", Pairs(samples.legal, oracle)}};
  std::erase_if(probes, [](const Probe& probe) { return probe.cases.empty(); });
  return probes;
}

constexpr std::size_t kCompared = 200;
/// Cases of a kind that are run: not every mask shows every mistake.
constexpr std::size_t kOfProbe = 40;

struct TargetVerbOptions {
  std::string what;
  std::string language;
  TargetOptions target;
};

int StatusOf(const diff::Comparison& result) {
  if (result.findings.empty()) return result.unsupported ? kUsage : kAgree;
  return diff::IsFailure(result.findings.front().kind) ? kTargetFailed
                                                       : kDisagreement;
}

std::string WordsOf(const diff::Comparison& result) {
  if (!result.findings.empty()) {
    const diff::Finding& finding = result.findings.front();
    return (diff::IsFailure(finding.kind) ? "" : "differs: ") + finding.message;
  }
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
  /// `target` as the options narrow it, and what `self` is of itself.
  Checker(const diff::Target& target, const diff::Target& self)
      : target_(target),
        self_(self),
        can_(target.capabilities()),
        oracle_(**diff::FindTarget("oracle")) {}

  int Run() {
    const auto* const outside = dynamic_cast<const diff::Outside*>(&self_);
    Print("handshake", outside != nullptr ? outside->SelfText()
                                          : std::string(target_.description()));
    for (const isa::Instruction& instruction : isa::Instructions()) {
      if (Claims(instruction.op)) CheckInstruction(instruction);
    }
    CheckRepeated();
    if (outside != nullptr) CheckUnknown(*outside);
    Print("memory guard",
          stray_ ? stray_->first
                 : fmt::format("{} legal cases, no byte outside", guarded_),
          stray_ ? stray_->second : kAgree);
    CheckClosing();
    PrintNext();
    return status_;
  }

 private:
  bool Claims(std::string_view op) const {
    return !can_.instructions || std::ranges::find(*can_.instructions, op) !=
                                     can_.instructions->end();
  }

  /// One line, which is well where `status` is `kAgree`.
  void Print(const std::string& question, const std::string& answer,
             int status = kAgree) {
    fmt::print("{}{}: {}\n", status == kAgree ? "ok    " : "FAIL  ", question,
               reports::InOneLine(answer));
    status_ = Worse(status_, status);
  }
  void Print(const std::string& question, const diff::Comparison& result) {
    Print(question, WordsOf(result), StatusOf(result));
  }

  /// The first of `cases` that the target can do, else the last.
  void CheckFirst(const std::string& question, const std::vector<Case>& cases) {
    if (cases.empty()) return;
    for (const Case& c : cases) {
      const diff::Comparison result = diff::CheckCase(c, target_, oracle_);
      if (result.unsupported && &c != &cases.back()) continue;
      // What it can't do it need not refuse.
      const bool well = result.unsupported && question.ends_with("illegal");
      return Print(question, WordsOf(result), well ? kAgree : StatusOf(result));
    }
  }

  void CheckInstruction(const isa::Instruction& instruction) {
    const Samples samples = SamplesOf(instruction.slug, can_, oracle_);
    const std::string op(instruction.op);
    if (samples.legal.empty()) {
      return Print(op, "its capabilities leave no legal case of it", kUsage);
    }
    CheckFirst(op + ", legal", samples.legal);
    CheckFirst(op + ", illegal", samples.illegal);
    for (const Probe& probe : ProbesOf(samples, oracle_)) CheckProbe(op, probe);
    CompareSome(op, samples.legal);
  }

  /// An unsupported kind is no mistake, as no claim can exclude it.
  void CheckProbe(const std::string& op, const Probe& probe) {
    const std::string question = op + ", " + probe.what;
    std::size_t count = 0;
    for (const Case& c : probe.cases) {
      const diff::Comparison result = diff::CheckCase(c, target_, oracle_);
      if (result.unsupported) continue;
      ++count;
      if (!result.findings.empty()) return Print(question, result);
      if (count == kOfProbe) break;
    }
    Print(question, count == 0 ? "unsupported; it will not be tested"
                               : fmt::format("{} cases, as documented", count));
  }

  /// Some of all kinds, of which the first that is wrong is reported. Many lie
  /// flush with the ends of their memories.
  void CompareSome(const std::string& op, const std::vector<Case>& legal) {
    std::size_t agree = 0;
    std::size_t unsupported = 0;
    std::size_t wrong = 0;
    diff::Comparison worst;
    std::string id;
    const std::size_t count = std::min(legal.size(), kCompared);
    for (std::size_t i = 0; i < count; ++i) {
      const Case& c = legal[i * legal.size() / count];
      diff::Comparison result = diff::CheckCase(c, target_, oracle_);
      Watch(c, result);
      unsupported += result.unsupported;
      agree += !result.unsupported && result.findings.empty();
      if (result.findings.empty() || wrong++ > 0) continue;
      worst = std::move(result);
      id = c.id;
    }
    if (legal_.empty()) legal_.push_back(legal.front());
    const std::string counts = fmt::format(
        "{} agree, {} unsupported, {} differ", agree, unsupported, wrong);
    Print(op + ", systematic cases",
          wrong == 0 ? counts
                     : fmt::format("{}; {}: {}", counts, id, WordsOf(worst)),
          wrong == 0 ? kAgree : StatusOf(worst));
  }

  void Watch(const Case& c, const diff::Comparison& result) {
    ++guarded_;
    const bool stray =
        std::ranges::any_of(result.findings, [](const diff::Finding& f) {
          return diff::IsFailure(f.kind) || f.signature.contains("/outside/");
        });
    if (!stray || stray_) return;
    stray_ = {fmt::format("{}: {}", c.id, result.findings.front().message),
              StatusOf(result)};
  }

  void CheckRepeated() {
    if (legal_.empty()) return;
    const auto first = target_.Run(legal_.front());
    const auto second = target_.Run(legal_.front());
    if (!first || !second) {
      Print("repeated case", (first ? second : first).error().why,
            kTargetFailed);
    } else {
      const bool same = *first == *second;
      Print("repeated case",
            same ? "the same outcome" : "the second outcome is another one",
            same ? kAgree : kDisagreement);
    }
  }

  void CheckUnknown(const diff::Outside& outside) {
    const auto reply = outside.ProbeUnknown();
    const bool executed = reply && *reply == "executed";
    Print("unknown instruction",
          executed ? "it claims to have executed it"
          : reply  ? *reply
                   : reply.error().why,
          executed ? kDisagreement
          : reply  ? kAgree
                   : kTargetFailed);
  }

  /// What shows more than this does, the quickest first.
  void PrintNext() const {
    const auto& ops = can_.instructions;
    const isa::Instruction* const sole =
        ops && ops->size() == 1 ? isa::FindInstruction(ops->front()) : nullptr;
    const std::string only =
        sole == nullptr ? "" : fmt::format(" --instruction {}", sole->slug);
    const std::string target = ShellWord(std::string(target_.name()));
    fmt::print(
        "next: lanediff check corpus --quiet{0} --target {1}\n"
        "then: lanediff sweep --legal-only{0} --target {1} --out out\n"
        "then: lanediff characterise{0} --target {1}\n",
        only, target);
  }

  void CheckClosing() {
    const auto complaints = diff::EndOutsideTargets();
    for (const std::string& line : complaints) {
      Print("closing", line, kTargetFailed);
    }
    if (complaints.empty()) Print("closing", "all processes ended well");
  }

  const diff::Target& target_;
  const diff::Target& self_;
  diff::Capabilities can_;
  const diff::Target& oracle_;
  std::vector<Case> legal_;  ///< one, to be run again
  std::size_t guarded_ = 0;
  std::optional<std::pair<std::string, int>> stray_;  ///< the first, its status
  int status_ = kAgree;
};

int RunTarget(const TargetVerbOptions& options) {
  if (options.what == "new") {
    return WriteSkeleton(options.language, options.target.name);
  }
  if (!options.language.empty()) {
    return FailUsage("target check: --language is for new");
  }
  WatchInterrupt();
  const auto status = UnlessInterrupted([&options] {
    const diff::Target& target = *FindTarget(options.target, Takes::kRunning);
    return Checker(target, **diff::FindTarget(options.target.name)).Run();
  });
  if (status) return *status;
  EndTargetsAtOnce();
  ExitAtOnce(FailUsage("target check: interrupted, not all was checked"));
}

}  // namespace

void AddTargetVerb(CommandLine& line) {
  auto [verb, options] = line.Add(
      "target", "begin a target, check that it can be talked to", RunTarget);
  verb.footer =
      "\"lanediff target check TARGET\" checks the handshake, a legal and an "
      "illegal case of each instruction that the target claims, calls under a "
      "mask that SetVectorMask set, with isSetMask=false, of a count with a "
      "tail, two calls in a row, up to 200 systematic cases, one of them "
      "twice, an unknown instruction, that the target keeps to its memories, "
      "and its "
      "end. One line each; "
      "status 0: all is well. \"lanediff target new --language python NAME\" "
      "writes one to "
      "begin "
      "with.";
  verb.Add("WHAT", options.what, "check or new")
      .Required()
      .OneOf({"check", "new"});
  verb.Add("TARGET", options.target.name,
           "exec:COMMAND, plugin:PATH, or any other; the name of a new one")
      .Required();
  verb.Add("--language LANGUAGE", options.language, "of a new one")
      .OneOf(SkeletonLanguages());
  AddTargetLimits(verb, options.target);
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  verb.Docs("own-implementation.md",
            {{"target check mutant:min-half-not-saturated"},
             {"target new --language python mine"}});
}

}  // namespace lanediff::cli
