#include "reports/schema_testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "differential/testcase/schema_faults.h"

namespace lanediff::reports::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kSchemas = fs::path(LANEDIFF_SOURCE_DIR) / "reports" / "schema";

}  // namespace

testing::AssertionResult FitsSchema(const std::string& document,
                                    const std::string& name) {
  const std::string faults =
      lanediff::test::SchemaFaults(document, kSchemas / name);
  return testing::AssertionResult(faults.empty()) << faults;
}

Json SarifRun(const std::string& document) {
  EXPECT_TRUE(FitsSchema(document, "third_party/sarif-2.1.0-rtm.5.json"));
  Json run = Json::parse(document).at("runs").at(0);
  std::set<std::string> ids;
  const Json& rules = run.at("tool").at("driver").at("rules");
  for (const Json& rule : rules) {
    EXPECT_TRUE(ids.insert(rule.at("id")).second) << rule.at("id");
  }
  for (const Json& result : run.at("results")) {
    EXPECT_EQ(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id"),
              result.at("ruleId"));
  }
  return run;
}

std::string OlderDocument(const std::string& name) {
  return (kSchemas.parent_path() / "older" / name).string();
}

testing::AssertionResult FitsJunit(const std::string& document) {
  const fs::path path = fs::path(testing::TempDir()) /
                        ("junit-" + std::to_string(getpid()) + ".xml");
  std::ofstream(path, std::ios::binary) << document;
  const std::string command =
      "xmllint --noout --schema '" +
      (kSchemas / "third_party" / "jenkins-junit.xsd").string() + "' '" +
      path.string() + "' 2>&1";
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return testing::AssertionFailure() << "no shell";
  char part[256];
  while (fgets(part, sizeof part, pipe) != nullptr) output += part;
  const int status = pclose(pipe);
  fs::remove(path);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << output;
}

testing::AssertionResult Has(std::string_view text, std::string_view part) {
  const bool has = text.find(part) != std::string_view::npos;
  return testing::AssertionResult(has) << "looked for " << part << " in\n"
                                       << text;
}

void ExpectSchemaHolds(const std::string& document, const std::string& schema,
                       const Rows& rows) {
  EXPECT_TRUE(FitsSchema(document, schema));
  for (const auto& [old, now] : rows) {
    EXPECT_FALSE(FitsSchema(Replaced(document, old, now), schema))
        << old << " -> " << now;
  }
}

void ExpectAt(const Json& json,
              const std::vector<std::pair<std::string, Json>>& values) {
  for (const auto& [pointer, value] : values) {
    const Json::json_pointer at(pointer);
    const Json found = json.contains(at) ? json.at(at) : Json("nothing there");
    EXPECT_EQ(found, value) << pointer;
  }
}

std::string Replaced(std::string text, const std::string& old,
                     const std::string& now) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), now);
}

}  // namespace lanediff::reports::test
