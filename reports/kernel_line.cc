#include "reports/kernel_line.h"

#include <nlohmann/json.hpp>
#include <utility>

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
  if (auto* text = json.get_ptr<std::string*>()) {
    *text = change(*text);
  } else if (json.is_structured()) {
    for (Json& item : json) Change(item, change);
  }
}

}  // namespace

std::string WriteKernelLine(const std::function<void(Json&)>& write) {
  Json json;
  write(json);
  Change(json, Widened);
  return json.dump();
}

std::optional<CaseError> ReadKernelLine(
    std::string_view line, const std::function<void(const Cursor&)>& read) {
  auto json = ParseJson(line);
  if (!json) return json.error();
  Change(*json, Narrowed);
  try {
    read(Cursor(*json));
    return std::nullopt;
  } catch (const CaseError& error) {
    return error;
  }
}

std::string KernelJson(const kernel::RunRecord& record) {
  return RecordText(KernelDocument{record});
}

}  // namespace lanediff::reports
