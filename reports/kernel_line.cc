#include "reports/kernel_line.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/kernel_record.h"

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

template <class T>
std::string KernelLine(const T& piece) {
  Json json = RecordJson(piece);
  Change(json, Widened);
  return ToOrdered(json).dump();
}

template <class T>
std::expected<T, CaseError> ReadKernelLine(std::string_view line) {
  auto json = ParseJson(line);
  if (!json) return std::unexpected(json.error());
  Change(*json, Narrowed);
  try {
    return ReadRecord<T>(Cursor(*json));
  } catch (const CaseError& error) {
    return std::unexpected(error);
  }
}

template std::string KernelLine(const kernel::Finding&);
template std::string KernelLine(const kernel::Note&);
template std::string KernelLine(const kernel::Refusal&);
template std::string KernelLine(const kernel::Hidden&);
template std::string KernelLine(const kernel::SiteRow&);
template std::string KernelLine(const kernel::End&);
template std::string KernelLine(const kernel::Counts&);
template std::string KernelLine(const kernel::Settings&);
template std::expected<kernel::Finding, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::Note, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::Refusal, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::Hidden, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::SiteRow, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::End, CaseError> ReadKernelLine(std::string_view);
template std::expected<kernel::Counts, CaseError> ReadKernelLine(
    std::string_view);
template std::expected<kernel::Settings, CaseError> ReadKernelLine(
    std::string_view);

}  // namespace lanediff::reports
