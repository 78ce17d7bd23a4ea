// Bugs are found in a library as they are in this process.

#include <cstddef>
#include <sstream>
#include <vector>

#include "tools/cli/outside_testing.h"

namespace lanediff::cli::test {
namespace {

constexpr std::size_t kMutants = 20;
constexpr std::size_t kMostFactor = 3;

struct Mutant {
  std::string name;
  std::string slug;
};

/// The number of the case that found it, 0 if none did, and what was found.
struct Found {
  std::size_t number = 0;
  std::string message;
};

class MutantPlugin : public OutsideTest {
 protected:
  /// Some of all, from each part of the list.
  std::vector<Mutant> SomeMutants() const {
    const Result r = Lanediff("list mutants");
    std::vector<Mutant> all;
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      Mutant mutant;
      words >> mutant.name >> mutant.slug;
      all.push_back(mutant);
    }
    std::vector<Mutant> some;
    for (std::size_t i = 0; i < kMutants && !all.empty(); ++i) {
      some.push_back(all[i * all.size() / kMutants]);
    }
    return some;
  }

  Found Hunt(const Mutant& mutant, const std::string& target) const {
    const Result r =
        Shell("LANEDIFF_TEST_MUTANT=" + mutant.name +
              " lanediff generate --until-found --count 2000 --instruction " +
              mutant.slug + " --target " + target);
    const std::string begin = "disagree " + mutant.slug + " case ";
    const std::size_t at = r.out.find(begin);
    if (at == std::string::npos) return {};
    std::istringstream rest(r.out.substr(at + begin.size()));
    Found found;
    rest >> found.number;
    std::getline(rest, found.message);
    return found;
  }
};

TEST_F(MutantPlugin, IsFoundAsSoonAndAsTheSameBugAsInThisProcess) {
  std::size_t found = 0;
  for (const Mutant& mutant : SomeMutants()) {
    SCOPED_TRACE(mutant.name);
    const Found here = Hunt(mutant, "mutant:" + mutant.name);
    const Found there =
        Hunt(mutant, "plugin:" LANEDIFF_TARGETS "/mutant_plugin.so");
    EXPECT_EQ(here.number == 0, there.number == 0);
    EXPECT_LE(there.number, kMostFactor * here.number);
    EXPECT_EQ(here.message, there.message);
    found += here.number > 0;
  }
  EXPECT_GE(found, kMutants * 3 / 4);
}

}  // namespace
}  // namespace lanediff::cli::test
