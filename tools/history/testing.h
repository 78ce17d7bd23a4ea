#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/history/add.h"
#include "tools/history/history.h"

/// Documents and a campaign for tests.
namespace lanediff::campaign::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

inline constexpr const char* kSignature = "memory/min/nan/half";
inline constexpr const char* kOther = "memory/min/value/half";

inline Strings Split(const std::string& text, char between) {
  Strings parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) {
    parts.push_back(part);
  }
  return parts;
}

/// What a run leaves with --json, in words: its verb, with a "!" if it sees
/// `kSignature`, and NAME=VALUE for what is not as usual. sees=A,B are the
/// signatures that it sees; id: of its cases; bins, holes=A,B: of functional
/// coverage.
inline Json RunJson(const std::string& words) {
  std::map<std::string, std::string> is = {
      {"instruction", "min"}, {"cases", "100"},        {"unsupported", "0"},
      {"beyond", "0"},        {"reference", "oracle"}, {"path", "p.json"},
      {"times", "1"},         {"seconds", "10"},       {"message", "bad"},
      {"bins", "0"}};
  for (const std::string& word : Split(words, ' ')) {
    const auto at = word.find('=');
    if (at != word.npos) is[word.substr(0, at)] = word.substr(at + 1);
  }
  std::string verb = words.substr(0, words.find(' '));
  if (verb.ends_with('!')) is["sees"] = kSignature;
  verb = verb.substr(0, verb.find('!'));
  const auto number = [&](const char* name) { return Json::parse(is[name]); };
  Json run = Json::parse(
      R"({"schema":"lanediff-report/2","kind":"run","target":"model",)"
      R"("vectors":"",)"
      R"("complete":true,"cases":[],"fuzzers":[]})");
  run["verb"] = verb;
  run["summary"] = {{"cases", number("cases")}, {"nodes", 3}};
  for (const char* name : {"reference", "unfinished", "edition"}) {
    if (is.contains(name)) run[name] = is[name];
  }
  if (is.contains("sample")) {
    run["sample"] = {{"perRule", number("sample")}, {"cases", 5}, {"of", 9}};
  }
  if (is.contains("legal")) run["about"]["legalOnly"] = true;
  Strings sees = Split(is["sees"], ',');
  if (verb == "check" && sees.empty()) sees = {""};
  for (const std::string& signature : sees) {
    std::string name = signature;
    std::ranges::replace(name, '/', '-');
    Json one = Json::parse(
        R"({"verdict":"agree","steps":1,"comparedBytes":2,"nodes":3,)"
        R"("instructions":["Min"]})");
    one["path"] = is["path"];
    one["id"] = is.contains("id") ? is["id"]
                : verb == "check" ? "case"
                                  : "case" + name;
    one["times"] = number("times");
    if (is["edition"] == "2024") one["edition"] = "2024";
    if (!signature.empty()) {
      one["verdict"] = is.contains("known") ? "known" : "disagree";
      if (is.contains("known")) one["known"] = is["known"];
      one["reproduce"] = "lanediff check " + is["path"];
      one["findings"] = Json::parse(
          R"([{"kind":"memory","side":"model","reference":"oracle","step":0,)"
          R"("op":"Min"}])");
      one["findings"][0]["signature"] = signature;
      one["findings"][0]["message"] = is["message"];
    }
    run["cases"].push_back(one);
  }
  Json about = {{"instruction", is["instruction"]}, {"cases", number("cases")}};
  if (verb == "sweep") {
    about.update(Json::parse(
        R"({"legal":1,"rejected":0,"disagree":0,"steps":1,"comparedBytes":2,)"
        R"("nodes":3,"rules":[]})"));
    about["unsupported"] = number("unsupported");
    about["beyond"] = number("beyond");
    run["sweeps"] = Json::array({about});
  } else if (verb == "fuzz") {
    about.update(Json::parse(
        R"({"seed":1,"legal":50,"nodes":7,"operations":8,"longRepeats":0,)"
        R"("findings":0,"crashes":0,"rates":[]})"));
    about["seconds"] = number("seconds");
    if (is.contains("error")) about["error"] = is["error"];
    run["fuzzers"].push_back(about);
  }
  if (is["bins"] != "0") {
    Json& coverage = run["coverage"][0];
    coverage = {
        {"instruction", is["instruction"]}, {"reached", 1}, {"open", 1}};
    coverage["bins"] = number("bins");
    coverage["holes"] = Json::array();
    for (const std::string& hole : Split(is["holes"], ',')) {
      coverage["holes"].push_back({{"bin", hole}});
    }
  }
  return run;
}

class CampaignTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("lanediff-campaign-" + std::to_string(getpid()));
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
    return campaign::Add(opened, {{.file = file}},
                         {.date = date, .commit = commit});
  }
  AddResult Add(int day, const std::string& words) {
    return AddText(RunJson(words).dump(), Day(day));
  }
  /// A day of October 2024.
  static std::string Day(int day) {
    return (day < 10 ? "2024-10-0" : "2024-10-") + std::to_string(day);
  }

  reports::CampaignRecord History(const std::string& name = "campaign.db") {
    Database opened(DatabasePath(name), Database::For::kReading);
    return ReadHistory(opened, {});
  }
  /// "state: seen-last-fixed …", days counted as above.
  std::string Summary(const std::string& signature = kSignature) {
    const auto number = [](const std::string& date) {
      return std::to_string(std::stoi(date.substr(8, 2)));
    };
    for (const auto& found : History().findings) {
      if (found.signature != signature) continue;
      std::string text = found.state + ":";
      for (const auto& period : found.periods) {
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

}  // namespace lanediff::campaign::test
