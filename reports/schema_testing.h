#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// For tests of what printers write: is it valid?
namespace lanediff::reports::test {

/// Whether `document` is JSON and valid by reports/schema/NAME; a failure
/// names the place.
testing::AssertionResult FitsSchema(const std::string& document,
                                    const std::string& name);

/// The run of a SARIF log, which must be valid by the official schema and name
/// rules that it lists, each once.
nlohmann::json SarifRun(const std::string& document);

/// Whether `document` is valid by Jenkins' XML Schema of JUnit files, as
/// xmllint sees it.
testing::AssertionResult FitsJunit(const std::string& document);

/// Whether `text` holds `part`; a failure prints the text.
testing::AssertionResult Has(std::string_view text, std::string_view part);

/// That `document` fits the schema, and with the first text of any row replaced
/// by the second does not.
using Rows = std::vector<std::pair<std::string, std::string>>;
void ExpectSchemaHolds(const std::string& document, const std::string& schema,
                       const Rows& rows);

/// The path of a document that version 1 wrote: run.json, audit.json,
/// mutants.json, exhaust.json or shard.json.
std::string OlderDocument(const std::string& name);

/// That `json` has these values at these pointers.
void ExpectAt(
    const nlohmann::json& json,
    const std::vector<std::pair<std::string, nlohmann::json>>& values);

/// `text` with the first `old` in it replaced; fails the test if there is none.
std::string Replaced(std::string text, const std::string& old,
                     const std::string& now);

}  // namespace lanediff::reports::test
