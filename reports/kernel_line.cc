#include "reports/kernel_line.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/json_layout.h"
#include "reports/kernel.h"
#include "reports/kernel_record.h"
#include "reports/kernel_status.h"

namespace lanediff::reports {
namespace {

/// Each byte as the character with its number.
std::string Widened(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

/// The other way; a character of more than a byte, which `Widened` never
/// writes, stays as it is.
std::string Narrowed(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if ((lead == 0xc2 || lead == 0xc3) && i + 1 < text.size()) {
      bytes += static_cast<char>((lead & 3) << 6 | (text[++i] & 0x3f));
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

/// Every text that is a value through `change`.
template <class F>
void Change(Json& json, const F& change) {
  if (auto* text = json.As<std::string>()) {
    *text = change(*text);
  } else if (auto* items = json.As<JsonArray>()) {
    for (Json& item : *items) Change(item, change);
  } else if (auto* members = json.As<JsonObject>()) {
    for (auto& [name, value] : *members) Change(value, change);
  }
}

}  // namespace

std::string WriteKernelLine(Json json) {
  Change(json, Widened);
  return ToOrdered(json).dump();
}

std::expected<Json, CaseError> ParseKernelLine(std::string_view line) {
  auto json = ParseJson(line);
  if (json) Change(*json, Narrowed);
  return json;
}

std::string KernelJson(const kernel::RunRecord& record) {
  return LayOut(RecordJson(KernelDocument{record}));
}

}  // namespace lanediff::reports
