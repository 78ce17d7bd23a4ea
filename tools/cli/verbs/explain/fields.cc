#include "tools/cli/verbs/explain/fields.h"

#include <fmt/format.h>

#include "reports/trace/fields.h"

namespace lanediff::cli::explain {

std::string FieldsText(const isa::Step& step) {
  std::string line;
  for (const view::FieldText& field : view::FieldTexts(step)) {
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", field.name,
                        field.value);
  }
  return line;
}

}  // namespace lanediff::cli::explain
