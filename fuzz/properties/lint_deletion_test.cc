#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "generators/random.h"
#include "generators/random/programs.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "oracle/hazards.h"
#include "oracle/operations.h"
#include "sanitizer/compare.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"

/// Programs without hazards, and what lint reports when a barrier, a pair of
/// flags, a mask setting or an initialisation is taken away: a hazard of the
/// right class between the right steps, or nothing where the oracle, byte by
/// byte, has nothing either.
namespace lanediff::properties {
namespace {

using lint::Hazard;
using lint::IsRace;
using lint::LiteralVerdict;
using lint::QuestionOf;
using lint::TextOf;

// ---- Programs ---------------------------------------------------------------

/// Each one as it should be, of sanitizer/program_text.h.
constexpr std::string_view kWritten[] = {
    "IN 0 0 1024; +MTE2_V 0; -MTE2_V 0; MINR 2048 0 0 4; +V_MTE3 0; "
    "-V_MTE3 0; OUT 8192 2048 1024",
    "IN 0 0 1024; |ALL; MINR 2048 0 0 4; |ALL; OUT 8192 2048 1024",
    "IN 0 0 256; +MTE2_V 0; -MTE2_V 0; +V_MTE3 0; -V_MTE3 0; OUT 8192 0 256",
    "IN 0 0 256; +MTE2_MTE3 0; -MTE2_MTE3 0; OUT 8192 0 256",
    "+V_MTE2 0; +V_MTE2 1; +MTE3_V 0; +MTE3_V 1; 3×[-V_MTE2 {e}; IN {1024*e} "
    "{256*i} 256; +MTE2_V {e}; -MTE2_V {e}; -MTE3_V {e}; MIN {4096+1024*e} "
    "{1024*e} {1024*e} 256; +V_MTE2 {e}; +V_MTE3 {e}; -V_MTE3 {e}; OUT "
    "{8192+256*i} {4096+1024*e} 256; +MTE3_V {e}]; -V_MTE2 0; -V_MTE2 1; "
    "-MTE3_V 0; -MTE3_V 1",
    "IN 0 0 256; +MTE2_V 0; -MTE2_V 0; MIN 512 0 0 256; |V; MIN 1024 512 0 "
    "256; +V_MTE3 0; -V_MTE3 0; OUT 8192 1024 256",
    "MIN 1024 0 512 256; +V_S 0; -V_S 0; GET 1024; SET 1024; +S_V 0; -S_V 0; "
    "MIN 2048 1024 1024 256",
    "SET 0; +S_MTE3 0; -S_MTE3 0; OUT 8192 0 32",
    "VT 0 0 2; |V; VT 0 0 2; |V; VT 1024 0 1",
    "IN 0 0 256; |MTE2; IN 0 256 256; +MTE2_V 3; -MTE2_V 3; VT 1024 0 1",
    "IN 0 0 32; +MTE2_V 0; -MTE2_V 0; PROD 512 0 1024; +V_S 0; -V_S 0; GET 512",
    "RRS 1024 0 64; |V; RRS 0 1024 1; +V_S 7; -V_S 7; GET 0",
    "OUT 8192 0 256; +MTE3_MTE2 0; -MTE3_MTE2 0; IN 0 8192 256; |ALL; GET 0",
    "MIN 512 0 0 256; +V_MTE2 0; -V_MTE2 0; IN 0 0 256; +MTE2_V 0; -MTE2_V 0; "
    "MIN 512 0 512 256",
    "COUNT; MIN 1024 0 512 256; RRS 1280 0 128",
};

enum class Kind { kBarrier, kFlags, kMask, kInitialisation };
constexpr std::string_view kKinds[] = {"barrier", "flag pair", "mask setting",
                                       "initialisation"};

bool IsClean(const Case& c) {
  const lint::Verdict verdict = lint::Lint(c);
  return verdict.clean() && !verdict.unsupported;
}

/// `c` with something taken away.
struct Deletion {
  Kind kind = Kind::kBarrier;
  Case c;
  /// In the program that is left: the first step behind what was taken away,
  /// and behind what was taken away last (the WaitFlag of a pair).
  std::size_t first = 0;
  std::size_t last = 0;
};

class Deletions {
 public:
  explicit Deletions(const Case& c) : c_(c) {
    for (std::size_t i = 0; i < c.program.size(); ++i) Take(i);
    for (std::size_t m = 0; m < c.memory.size(); ++m) TakeRegions(m);
  }
  std::vector<Deletion> all;

 private:
  void Add(Kind kind, std::size_t step) {
    Deletion& one = all.emplace_back(Deletion{kind, c_, step, step});
    one.c.program.erase(one.c.program.begin() +
                        static_cast<std::ptrdiff_t>(step));
  }

  void Take(std::size_t i) {
    const isa::Step& step = c_.program[i];
    if (std::holds_alternative<isa::PipeBarrier>(step)) {
      Add(Kind::kBarrier, i);
    } else if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
      set_[{set->event, set->id}] = i;
    } else if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
      const std::size_t taken = set_.at({wait->event, wait->id});
      Add(Kind::kFlags, i);
      Deletion& pair = all.back();
      pair.c.program.erase(pair.c.program.begin() +
                           static_cast<std::ptrdiff_t>(taken));
      pair.first = taken;
      pair.last = i - 1;
    } else if (std::holds_alternative<isa::SetVectorMask>(step) ||
               std::holds_alternative<isa::ResetMask>(step) ||
               std::holds_alternative<isa::SetMaskNorm>(step)) {
      Add(Kind::kMask, i);
    } else if (const auto* call = std::get_if<isa::Call>(&step)) {
      if (call->Is(isa::Family::kCopy) && Counts(call->dst().position)) {
        Add(Kind::kInitialisation, i);
      }
    } else if (const auto* put = std::get_if<isa::SetValue>(&step)) {
      if (Counts(put->dst.position)) Add(Kind::kInitialisation, i);
    }
  }

  /// Whether it matters that something writes there.
  bool Counts(isa::Position position) const {
    const isa::Memory memory = isa::MemoryAt(c_.product, position);
    const auto& image = c_.memory[static_cast<std::size_t>(memory)];
    return !image || !image->initialised;
  }

  void TakeRegions(std::size_t m) {
    if (!c_.memory[m] || c_.memory[m]->initialised) return;
    for (std::size_t r = 0; r < c_.memory[m]->regions.size(); ++r) {
      Deletion& one =
          all.emplace_back(Deletion{Kind::kInitialisation, c_, 0, 0});
      auto& regions = one.c.memory[m]->regions;
      regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(r));
    }
  }

  const Case& c_;
  std::map<std::pair<isa::Event, std::int64_t>, std::size_t> set_;
};

// ---- What must be reported --------------------------------------------------

/// Whether the hazard is what taking this away may leave.
bool IsOf(const Deletion& deletion, const Hazard& hazard) {
  const std::size_t later = hazard.later.step;
  const std::string_view rule = hazard.rule.text();
  switch (deletion.kind) {
    case Kind::kBarrier:
    case Kind::kFlags:  // chains may have led from behind SetFlag's place on
      return IsRace(hazard) && later >= deletion.last &&
             hazard.earlier->step < later;
    case Kind::kMask:
      return rule.starts_with("STATE-");
    case Kind::kInitialisation:
      return rule == "INIT-READ" && later >= deletion.first;
  }
  return false;
}

/// What a mask is may decide which lanes are touched, too.
bool MayFollow(const Deletion& deletion, const Hazard& hazard) {
  return IsOf(deletion, hazard) ||
         (deletion.kind == Kind::kMask && hazard.bytes);
}

/// Steps that share a byte, one of them writing, and that nothing orders.
std::set<std::pair<std::size_t, std::size_t>> Unordered(
    const oracle::HazardAnswer& answer) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [a, b] : answer.sharing) {
    if (answer.before[a][b]) continue;
    pairs.emplace(answer.operations[a].step, answer.operations[b].step);
  }
  return pairs;
}

struct Figures {
  int deleted = 0;
  int reported = 0;
  int harmless = 0;
  int other = 0;  ///< another mask, whose lanes race or read unwritten bytes
};

void Look(const Deletion& deletion, Figures& figures) {
  SCOPED_TRACE(std::string(kKinds[static_cast<std::size_t>(deletion.kind)]) +
               "\n" + TextOf(deletion.c));
  const auto answer = oracle::FindHazards(QuestionOf(deletion.c));
  ASSERT_TRUE(answer);
  const lint::Verdict literal = LiteralVerdict(deletion.c, *answer);
  const lint::Verdict found = lint::Lint(deletion.c);
  const auto difference = lint::DifferenceOf(deletion.c, literal, found);
  EXPECT_FALSE(difference) << difference->message;
  const auto unordered = Unordered(*answer);
  bool reported = false;
  for (const Hazard& hazard : found.hazards) {
    reported |= IsOf(deletion, hazard);
    EXPECT_TRUE(MayFollow(deletion, hazard)) << TextOf(found);
    if (IsRace(hazard)) {
      EXPECT_TRUE(unordered.contains({hazard.earlier->step, hazard.later.step}))
          << TextOf(found);
    }
  }
  if (!deletion.c.lint.sync->automatic) {
    EXPECT_EQ(unordered.empty(), std::ranges::none_of(found.hazards, IsRace));
  }
  ++figures.deleted;
  figures.reported += reported;
  figures.harmless += found.hazards.empty() && literal.hazards.empty();
  figures.other += !reported && !found.hazards.empty();
}

constexpr int kGenerated = 400;

std::vector<Case> CleanPrograms() {
  std::vector<Case> programs;
  for (const std::string_view text : kWritten) {
    programs.push_back(lint::test::CaseOf(text));
    EXPECT_TRUE(IsClean(programs.back())) << text;
  }
  make::Random random(11);
  const make::SyncPlan plan{.way = make::Synchronized::kRight};
  while (programs.size() < std::size(kWritten) + kGenerated) {
    Case c = make::SynchronizedProgram(random, plan);
    if (c.lint.sync && IsClean(c)) programs.push_back(std::move(c));
  }
  return programs;
}

TEST(DeletedSynchronization, IsReportedOrHarmless) {
  std::array<Figures, std::size(kKinds)> figures{};
  const std::vector<Case> programs = CleanPrograms();
  for (const Case& c : programs) {
    const lint::Verdict literal = LiteralVerdict(c);
    EXPECT_EQ(TextOf(literal), "") << TextOf(c);
    for (const Deletion& deletion : Deletions(c).all) {
      Look(deletion, figures[static_cast<std::size_t>(deletion.kind)]);
      if (HasFailure()) return;
    }
  }
  fmt::print("{} programs without hazards\n", programs.size());
  for (std::size_t k = 0; k < std::size(kKinds); ++k) {
    const Figures& f = figures[k];
    fmt::print("{:>14}: deleted {}, reported {}, harmless {}", kKinds[k],
               f.deleted, f.reported, f.harmless);
    if (f.other > 0) fmt::print(", other lanes {}", f.other);
    fmt::print("\n");
    EXPECT_EQ(f.deleted, f.reported + f.harmless + f.other);
    EXPECT_GE(f.reported, 50) << kKinds[k];
  }
}

// ---- What synchronized programs are worth to a judge of hazards
// --------------

constexpr int kPrograms = 6000;

/// How many programs have each property: by rule, and in words.
std::map<std::string, int> Tally() {
  std::map<std::string, int> programs;
  for (const isa::Rule& rule : isa::Catalogue()) {
    const bool of_kernels =
        rule.id == isa::sync::kInitOutput || rule.id == isa::state::kMaskDrift;
    if (rule.effect == isa::Effect::kHazard && !of_kernels) {
      programs[std::string(rule.id.text())] = 0;
    }
  }
  for (const char* word : {"clean", "clean with flags", "propagated",
                           "rejected", "after a rejected step", "unsupported",
                           "fix by flag", "fix by barrier"}) {
    programs[word] = 0;
  }
  for (const std::string_view product : isa::Words<isa::Product>::kSpelling) {
    programs["on " + std::string(product)] = 0;
  }
  for (const char* pipe : {"V", "S", "MTE1", "MTE2", "MTE3", "FIX"}) {
    programs[std::string("on pipe ") + pipe] = 0;
  }
  for (const isa::Call& kind : isa::CallKinds()) {
    programs["with " + std::string(kind.signature->op)] = 0;
  }
  make::Random random(7);
  for (int i = 0; i < kPrograms; ++i) {
    const Case c = make::SynchronizedProgram(random);
    const lint::Verdict verdict = lint::Lint(c);
    std::map<std::string, bool> found;
    found["on " + std::string(isa::Name(c.product))] = true;
    for (const isa::Step& step : c.program) {
      found["with " + std::string(isa::OpName(step))] = true;
      const auto pipe = oracle::PipeOfStep(step, c.product);
      if (pipe) found["on pipe " + std::string(isa::Name(*pipe))] = true;
    }
    for (const lint::Hazard& hazard : verdict.hazards) {
      found[std::string(hazard.rule.text())] = true;
      const bool is_read = hazard.rule == isa::sync::kInitRead;
      found["propagated"] |= is_read && hazard.earlier;
      if (!hazard.bytes || is_read) continue;
      found["fix by flag"] |= hazard.fix.size() == 2;
      found["fix by barrier"] |= hazard.fix.size() == 1;
    }
    found["clean"] = verdict.clean() && !verdict.unsupported;
    found["clean with flags"] = found["clean"] && verdict.synchronizing > 0;
    found["rejected"] = verdict.rejected.has_value();
    found["after a rejected step"] =
        verdict.after && !verdict.after->hazards.empty();
    found["unsupported"] = verdict.unsupported.has_value();
    for (const auto& [what, is_so] : found) programs[what] += is_so;
  }
  return programs;
}

TEST(SynchronizedPrograms, HaveEveryHazard) {
  for (const auto& [what, programs] : Tally()) {
    fmt::print("{:>6} of {} programs: {}\n", programs, kPrograms, what);
    EXPECT_GE(programs, kPrograms / 1000) << what;
  }
}

}  // namespace
}  // namespace lanediff::properties
