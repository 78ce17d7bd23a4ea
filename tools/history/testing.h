#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "tools/history/add.h"
#include "tools/history/history.h"
#include "tools/history/scope.h"

/// Documents and a campaign for tests.
namespace lanediff::campaign::test {

namespace fs = std::filesystem;

inline constexpr const char* kSignature = "memory/min/nan/half";

/// What a run leaves with --json, as far as a campaign looks at it.
struct Document {
  std::string verb = "sweep";
  std::string instruction = "min";
  std::vector<std::string> signatures = {};
  std::string unfinished = {};
  std::uint64_t cases = 100;
  std::uint64_t left_out = 0;      ///< of them
  std::uint64_t beyond = 0;        ///< not counted in them; of a sweep
  std::string case_name = "case";  ///< of check: the one that was compared
  std::string known = {};
  std::string reference = "oracle";
  std::string sample = {};
  std::string edition = {};  ///< empty: absent; if it is 2024, of each case
  bool legal_only = false;
  std::string error = {};           ///< of fuzz: why the program ended early
  std::string path = "p.json";      ///< of the cases
  bool named_by_signature = false;  ///< ids of cases are signatures
  std::uint64_t times = 1;          ///< that each case showed up
  std::uint64_t parts = 1;          ///< whose sums it has
  double seconds = 10;              ///< of fuzz
  std::uint64_t bins = 0;           ///< of fuzz, with `holes`; 0: no coverage
  std::vector<std::string> holes = {};

  std::string Text() const {
    std::string list;
    for (const std::string& signature : signatures) {
      list += list.empty() ? "" : ",";
      const std::string name =
          verb == "check" ? case_name : case_name + signature;
      list += R"({"path":")" + path + R"(","id":")" +
              (named_by_signature ? signature : Escaped(name)) + R"(",)" +
              (edition == "2024" ? R"("edition":"2024",)" : "") +
              R"("times":)" + std::to_string(times) + R"(,"verdict":")" +
              (known.empty() ? "disagree" : "known") +
              R"(","steps":1,"comparedBytes":2,"nodes":3,)" +
              (known.empty() ? "" : R"("known":")" + known + "\",") +
              R"("instructions":["Min"],"reproduce":"lanediff check p.json",)"
              R"("findings":[{"kind":"memory","side":"model",)"
              R"("reference":"oracle","step":0,"op":"Min","signature":")" +
              signature + R"(","message":"it differs"}]})";
    }
    if (verb == "check" && signatures.empty()) {
      list = R"({"path":"p.json","id":")" + case_name +
             R"(","verdict":"agree","steps":1,"comparedBytes":2,"nodes":3,)"
             R"("instructions":["Min"]})";
    }
    std::string more;
    const std::string count = std::to_string(cases);
    if (verb == "sweep") {
      more = R"(,"sweeps":[{"instruction":")" + instruction + R"(","cases":)" +
             count + R"(,"legal":1,"rejected":0,"unsupported":)" +
             std::to_string(left_out) + R"(,"beyond":)" +
             std::to_string(beyond) +
             R"(,"disagree":0,)"
             R"("steps":1,"comparedBytes":2,"nodes":3,"rules":[]}])";
    }
    const std::string fuzzer =
        R"({"instruction":")" + instruction + R"(","seed":1,"seconds":)" +
        std::to_string(seconds) + R"(,"cases":)" + count +
        R"(,"legal":50,"nodes":7,"operations":8,"longRepeats":0,)"
        R"("findings":0,"crashes":0,"rates":[])" +
        (error.empty() ? "" : R"(,"error":")" + error + "\"") + "}";
    if (bins > 0) {
      std::string list_of;
      for (const std::string& hole : holes) {
        list_of +=
            (list_of.empty() ? "" : ",") + (R"({"bin":")" + hole) + R"("})";
      }
      more += R"(,"coverage":[{"instruction":")" + instruction +
              R"(","bins":)" + std::to_string(bins) +
              R"(,"reached":1,"open":1,"holes":[)" + list_of + "]}]";
    }
    const std::string sums =
        R"(,"steps":)" + std::to_string(parts) + R"(,"comparedBytes":)" +
        std::to_string(2 * parts) + R"(,"nodes":)" + std::to_string(3 * parts);
    return R"({"format":"lanediff-run/1","verb":")" + verb +
           R"(","target":"model","vectors":"","reference":")" + reference +
           R"(",)"
           R"("complete":true,)" +
           (unfinished.empty() ? ""
                               : R"("unfinished":")" + unfinished + "\",") +
           (sample.empty() ? "" : R"("sample":)" + sample + ",") +
           (edition.empty() ? "" : R"("edition":")" + edition + "\",") +
           (legal_only ? R"("about":{"legalOnly":true},)" : "") +
           R"("summary":{"cases":)" + count + sums + R"(},"cases":[)" + list +
           R"(],"fuzzers":[)" + (verb == "fuzz" ? fuzzer : "") + "]" + more +
           "}";
  }

  static std::string Escaped(std::string text) {
    std::ranges::replace(text, '/', '-');
    return text;
  }
};

/// A shard's document around its results.
inline std::string ShardOf(const std::string& verb, const std::string& results,
                           const std::string& day, int i, int n, bool complete,
                           const std::string& options = "") {
  return R"({"format":"lanediff-shard/1","program":"1.0.0+abc","verb":")" +
         verb + R"(","shard":{"index":)" + std::to_string(i) + R"(,"count":)" +
         std::to_string(n) + R"(},"complete":)" +
         (complete ? "true" : "false") + R"(,"day":")" + day +
         R"(","options":{"target":"model")" + options +
         R"(},"out":"out","knownIssues":[],"occurred":[],)" + results +
         R"(,"places":[],"paces":[]})";
}
inline std::string ShardText(const Document& document, const std::string& day,
                             int i, int n, bool complete = true) {
  return ShardOf(document.verb, "\"run\":" + document.Text(), day, i, n,
                 complete);
}

class CampaignTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              (std::string("lanediff-campaign-") + info->name() + "-" +
               std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string DatabasePath(const std::string& name = "campaign.db") const {
    return (folder_ / name).string();
  }
  AddResult AddText(const std::string& text, const std::string& date,
                    const std::string& database = "campaign.db",
                    const std::string& commit = "") {
    const std::string file = (folder_ / "document.json").string();
    std::ofstream(file, std::ios::binary) << text;
    Database opened(DatabasePath(database), Database::For::kWriting);
    return Adder(opened).Add({.documents = {{.file = file}}},
                             {.date = date, .commit = commit});
  }
  AddResult Add(int day, const Document& document) {
    return AddText(document.Text(), Day(day));
  }
  /// Adds these in turn; then the finding's `Summary` is this.
  void After(const std::vector<std::pair<int, Document>>& added,
             const std::string& summary,
             const std::source_location& at = std::source_location::current()) {
    const testing::ScopedTrace trace(at.file_name(),
                                     static_cast<int>(at.line()), summary);
    for (const auto& [day, document] : added) Add(day, document);
    EXPECT_EQ(Summary(), summary);
  }
  AddResult AddShard(int day, const Document& document, int i, int n,
                     bool complete = true) {
    return AddText(ShardText(document, Day(day), i, n, complete), "");
  }
  /// Both of two.
  void AddShards(int day, const Document& document) {
    for (const int i : {1, 0}) AddShard(day, document, i, 2);
  }
  static std::string Day(int day) { return DayText(20000 + day); }

  reports::CampaignRecord History(const std::string& name = "campaign.db") {
    Database opened(DatabasePath(name), Database::For::kReading);
    return ReadHistory(opened, {});
  }
  /// "state: seen-last-fixed …", days counted as above.
  std::string Summary(const std::string& signature = kSignature) {
    for (const auto& found : History().findings) {
      if (found.signature != signature) continue;
      std::string text = found.state + ":";
      for (const auto& period : found.periods) {
        const auto number = [](const std::string& date) {
          return std::to_string(DayNumber(date) - 20000);
        };
        text += " " + number(period.seen.date) + "-" +
                number(period.last_seen.date) + "-" +
                (period.fixed ? number(period.fixed->date) : "");
      }
      return text;
    }
    return "";
  }

  fs::path folder_;
};

inline const Document kSees = {.signatures = {kSignature}};
inline const Document kSilent = {};

}  // namespace lanediff::campaign::test
