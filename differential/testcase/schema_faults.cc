#include "differential/testcase/schema_faults.h"

#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace lanediff::test {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

const valijson::Schema& ParsedSchema(const std::string& path) {
  static std::map<std::string, std::unique_ptr<valijson::Schema>> known;
  auto& schema = known[path];
  if (!schema) {
    std::ifstream file(path, std::ios::binary);
    const Json json = Json::parse(file);
    const std::string draft = json.at("$schema");
    schema = std::make_unique<valijson::Schema>();
    valijson::SchemaParser parser(draft.find("draft-04") != std::string::npos
                                      ? valijson::SchemaParser::kDraft4
                                      : valijson::SchemaParser::kDraft7);
    parser.populateSchema(Adapter(json), *schema);
  }
  return *schema;
}

}  // namespace

std::string SchemaFaults(const std::string& document,
                         const std::string& schema) {
  const Json json = Json::parse(document, nullptr, false);
  if (json.is_discarded()) return "no JSON\n";
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(ParsedSchema(schema), Adapter(json), &results)) {
    return "";
  }
  std::string faults;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& step : error.context) faults += step;
    faults += ": " + error.description + "\n";
  }
  return faults;
}

}  // namespace lanediff::test
