// The audit of the emulator on everything: half a minute on two processors.

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

class WholeAudit : public ProgramTest {};

TEST_F(WholeAudit, TheEmulatorKeepsEveryRuleAndEveryHoleHasAReason) {
  const Result r = Lanediff("audit --out out");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  const Json report = Json::parse(Slurp(In("out/audit.json")));
  EXPECT_EQ(report.at("crashed"), 0);
  EXPECT_EQ(report.at("hung"), 0);
  EXPECT_EQ(report.at("unsupported"), 0);
  std::size_t cells = 0;
  for (const Json& rule : report.at("rules")) {
    const bool rejects = rule.at("effect") == "reject";
    ASSERT_FALSE(rule.at("cells").empty()) << rule.at("id");
    for (const Json& cell : rule.at("cells")) {
      ++cells;
      const std::string verdict = cell.at("verdict");
      const std::string where = rule.at("id").get<std::string>() + " on " +
                                cell.at("product").get<std::string>();
      if (verdict == "not exercised") {
        const std::string reason = cell.at("reason");
        EXPECT_NE(reason, "") << where;
        EXPECT_NE(reason, "no case was compared") << where;
        continue;
      }
      EXPECT_EQ(verdict, rejects ? "enforced" : "confirmed") << where;
      EXPECT_FALSE(cell.at("evidence").empty()) << where;
    }
  }
  // Every rule of the catalogue that a target has a part in, each on some
  // product: not those of lint and of kernels.
  const Json rules = Json::parse(Lanediff("list rules --json").out);
  const auto of_lint = std::ranges::count_if(rules, [](const Json& rule) {
    return rule.at("effect") == "hazard" || rule.at("id") == "SYNC-AUTO" ||
           rule.at("instruction") == "kernel";
  });
  EXPECT_GT(of_lint, 0);
  EXPECT_EQ(report.at("rules").size(),
            rules.size() - static_cast<std::size_t>(of_lint));
  EXPECT_GT(cells, 200u);
}

}  // namespace
}  // namespace lanediff::cli::test
