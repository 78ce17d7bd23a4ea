#pragma once

#include <string>

namespace lanediff::reports {

/// The rule catalogue as a Markdown page: a section for each instruction, in it
/// a table of its rules with statement, allowed values and sources.
std::string CataloguePage();

}  // namespace lanediff::reports
