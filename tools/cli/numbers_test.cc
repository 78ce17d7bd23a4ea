// Options that are numbers: a value out of range is one line with the allowed
// range.

#include <algorithm>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Numbers = ProgramTest;

TEST_F(Numbers, OutOfRangeIsOneLine) {
  WriteCaseAs("case.json");
  struct Row {
    const char* arguments;
    const char* allowed;
  };
  const Row rows[] = {
      {"check case.json --jobs", "0 to 1024"},
      {"sweep --jobs", "0 to 1024"},
      {"exhaust min-int16 --jobs", "0 to 1024"},
      {"audit --out out --jobs", "0 to 1024"},
      {"fuzz --jobs", "0 to 1024"},
      {"fuzz --seconds", "1 to 10000000"},
      {"fuzz --seed", "0 to 18446744073709551615"},
      {"generate --count", "1 to 1000000000"},
      {"generate --seed", "0 to 18446744073709551615"},
      {"coverage --generated", "0 to 1000000000"},
      {"mutants --jobs", "0 to 1024"},
      {"mutants --seconds", "0 to "},
      {"mutants --cases", "1 to 1000000000"},
      {"mutants --seed", "0 to 18446744073709551615"},
      {"mutants --seeds", "1 to 1000"},
      {"shrink case.json --candidates", "0 to 10000000"},
      {"shrink case.json --seconds", "0 to 1000000"},
  };
  for (const Row& row : rows) {
    for (const char* number :
         {"-1", "nan", "1e30", "99999999999999999999999", "x"}) {
      const Result r = Lanediff(std::string(row.arguments) + "=" + number);
      EXPECT_EQ(r.status, 2) << row.arguments << number;
      EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
      EXPECT_TRUE(Has(r.err, row.allowed)) << row.arguments << number << r.err;
    }
  }
}

TEST_F(Numbers, WrongUsageIsOneLine) {
  for (const char* arguments :
       {"", "nothing", "check", "list colours", "check --nothing x",
        "check x --jobs", "list 'a\nb'", "'a\nb'",
        "check x --json same --junit same", "coverage --instruction nothing",
        "mutants --instruction nothing", "mutants --checker corpus nothing"}) {
    const Result r = Lanediff(arguments);
    EXPECT_EQ(r.status, 2) << arguments;
    EXPECT_TRUE(r.err.starts_with("lanediff: ")) << r.err;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
  }
  EXPECT_TRUE(Has(Lanediff("nothing").err, "no verb \"nothing\""));
  EXPECT_TRUE(Has(Lanediff("mutants --checker corpus nothing").err,
                  "no mutant \"nothing\""));
  EXPECT_TRUE(Has(Lanediff("check x --json same --junit same").err,
                  "two reports can't be one file: same"));
}

}  // namespace
}  // namespace lanediff::cli::test
