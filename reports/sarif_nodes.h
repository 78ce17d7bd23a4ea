#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "isa/catalogue.h"

/// The parts of a SARIF document that all printers of SARIF share.
namespace lanediff::reports::sarif {

using OrderedJson = nlohmann::ordered_json;

/// Whose folder relative addresses start from.
inline constexpr std::string_view kWorkingFolder = "%SRCROOT%";
inline constexpr std::string_view kReportFolder = "REPORT";

/// How serious a finding of this rule is by itself: "warning" for a rule that
/// is only noted, "error" for any other.
std::string_view LevelOf(std::string_view rule);

/// A result of rule `rule`, which stands at `rule_index` in the log's list.
OrderedJson ResultNode(std::string_view rule, std::size_t rule_index,
                       std::string_view level, std::string_view message);

/// Where a case lies; viewers require `line`.
OrderedJson Location(const std::string& path, std::string_view base,
                     std::size_t line = 1);

/// A logical place such as "RepeatReduceSum/RRS-REPEAT/atlas-a2".
OrderedJson LogicalLocation(std::string_view full_name, std::string_view kind);

/// Marks the result as known and accepted, unless `reason` is empty.
void Accept(std::string_view reason, OrderedJson& result);

/// Adds an error of the tool itself, with a place or without.
void AddNotification(std::string_view message, OrderedJson& all);
void AddNotification(std::string_view message, OrderedJson location,
                     OrderedJson& all);

/// A rule: statement, what follows, allowed ranges, and the documents with
/// their sections as help.
OrderedJson RuleDescriptor(const isa::Rule& rule);

/// One run.
struct Log {
  std::string category;  ///< differs between verbs and targets
  int exit_status = 0;
  std::string_view exit_text;
  bool complete = true;  ///< all was done
};

/// The document around it; `rules` are those that results name by index.
std::string LogText(const Log& log, OrderedJson rules, OrderedJson results,
                    OrderedJson notifications, OrderedJson properties);

}  // namespace lanediff::reports::sarif
