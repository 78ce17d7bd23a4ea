#include "differential/testcase/json_layout.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace lanediff {
namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::size_t kLineWidth = 100;

std::string DumpScalar(const Ordered& json) {
  // The text of a number that no double holds
  // (differential/testcase/case_writer.cc).
  if (json.is_binary()) {
    return {json.get_binary().begin(), json.get_binary().end()};
  }
  return json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

/// `json` in one line with spaces where people put them; stops early when it is
/// longer than `width`.
bool OneLine(const Ordered& json, std::size_t width, std::string& out) {
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

bool AllShort(const Ordered& array) {
  for (const Ordered& item : array) {
    std::string text;
    if (!OneLine(item, 40, text)) return false;
  }
  return true;
}

void Write(const Ordered& json, std::size_t indent, std::size_t prefix,
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

std::string LayOut(const nlohmann::ordered_json& json) {
  std::string out;
  Write(json, 0, 0, out);
  return out + '\n';
}

std::string LayOut(const Json& json) { return LayOut(ToOrdered(json)); }

Ordered ToOrdered(const Json& json) {
  if (const auto* members = json.As<JsonObject>()) {
    Ordered object = Ordered::object();
    auto& list = object.get_ref<Ordered::object_t&>();
    list.reserve(members->size());
    for (const auto& [name, value] : *members) {
      list.emplace_back(name, ToOrdered(value));
    }
    return object;
  }
  if (const auto* items = json.As<JsonArray>()) {
    Ordered array = Ordered::array();
    for (const auto& item : *items) array.push_back(ToOrdered(item));
    return array;
  }
  if (const auto* number = json.As<JsonNumber>()) {
    if (const auto count = ToNumber<std::uint64_t>(number->text)) return *count;
    return Ordered::parse(number->text);
  }
  if (const auto* text = json.As<std::string>()) return *text;
  if (const auto* flag = json.As<bool>()) return *flag;
  return nullptr;
}

}  // namespace lanediff
