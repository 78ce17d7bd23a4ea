#include "differential/testcase/json_layout.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lanediff {
namespace {

constexpr std::size_t kLineWidth = 100;

std::string DumpScalar(const Json& json) {
  if (json.is_binary()) return *NumberText(json);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// `json` in one line with spaces where people put them; stops early when it is
/// longer than `width`.
bool OneLine(const Json& json, std::size_t width, std::string& out) {
  if (!json.is_structured()) {
    out += DumpScalar(json);
    return out.size() <= width;
  }
  if (json.empty()) {
    out += json.is_object() ? "{}" : "[]";
    return out.size() <= width;
  }
  out += json.is_object() ? "{ " : "[";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    if (!first) out += ", ";
    first = false;
    if (json.is_object()) out += DumpScalar(key) + ": ";
    if (!OneLine(value, width, out)) return false;
  }
  out += json.is_object() ? " }" : "]";
  return out.size() <= width;
}

bool AllShort(const Json& array) {
  for (const Json& item : array) {
    std::string text;
    if (!OneLine(item, 40, text)) return false;
  }
  return true;
}

void Write(const Json& json, std::size_t indent, std::size_t prefix,
           std::string& out) {
  std::string line;
  // The top level is always broken up.
  if ((indent > 0 || !json.is_structured()) &&
      OneLine(json, kLineWidth - std::min(kLineWidth, indent + prefix), line)) {
    out += line;
    return;
  }
  if (!json.is_structured()) {
    out += DumpScalar(json);
    return;
  }
  const bool fill = json.is_array() && AllShort(json);
  const std::string margin(indent + 2, ' ');
  out += json.is_object() ? "{" : "[";
  std::size_t column = kLineWidth;
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    if (!first) out += ',';
    std::string item;
    if (fill) {
      OneLine(value, 40, item);
    } else {
      const std::string name =
          json.is_object() ? DumpScalar(key) + ": " : std::string();
      item = name;
      Write(value, indent + 2, name.size() + 1, item);
    }
    if (fill && !first && column + item.size() + 3 <= kLineWidth) {
      out += ' ';
      column += item.size() + 2;
    } else {
      out += '\n' + margin;
      column = margin.size() + item.size();
    }
    out += item;
    first = false;
  }
  out += '\n' + std::string(indent, ' ');
  out += json.is_object() ? "}" : "]";
}

}  // namespace

std::string LayOut(const Json& json) {
  std::string out;
  Write(json, 0, 0, out);
  return out + '\n';
}

}  // namespace lanediff
