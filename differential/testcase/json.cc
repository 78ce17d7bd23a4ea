#include "differential/testcase/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace lanediff {
namespace {

/// No object has nearly as many, not even one with a member for each rule;
/// keeps the search for repeated names cheap.
constexpr std::size_t kMaxMembers = 4096;

/// Builds a `Json` from parser events and stops at the first thing forbidden.
class Builder {
 public:
  explicit Builder(Json& root) { open_.push_back({.value = &root}); }

  const std::optional<CaseError>& error() const { return error_; }

  bool null() { return Put(nullptr); }
  bool boolean(bool value) { return Put(value); }
  bool number_integer(std::int64_t value) {
    // The parser keeps no text of integers; a signed zero is always "-0".
    return Put(value == 0 ? NumberJson("-0") : Json(value));
  }
  bool number_unsigned(std::uint64_t value) { return Put(value); }
  bool number_float(double, const std::string& text) {
    return Put(NumberJson(text));
  }
  bool string(std::string& value) { return Put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return Open(Json::object()); }
  bool start_array(std::size_t) { return Open(Json::array()); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool key(std::string& name) {
    auto& members = open_.back().value->get_ref<Json::object_t&>();
    open_.back().key = name;
    if (members.size() == kMaxMembers) {
      return Fail(
          fmt::format("more than {} fields in one object", kMaxMembers));
    }
    if (!members.emplace(name, nullptr).second) {
      return Fail("the field is given twice; each may stand once");
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const Json::exception& e) {
    std::string_view what = e.what();
    if (const auto colon = what.find(": "); colon != what.npos) {
      what.remove_prefix(colon + 2);
    }
    return Fail(
        fmt::format("not JSON at byte {}: {}", position, Quote(what, 200)));
  }

 private:
  struct Level {
    Json* value;
    std::string key = {};  // of the member being read
  };

  /// Where the value stands that is put next.
  Json& Next() {
    Json& at = *open_.back().value;
    if (depth_ == 0) return at;
    if (at.is_array()) return at.emplace_back();
    return at.get_ref<Json::object_t&>().back().second;
  }

  bool Put(Json value) {
    Next() = std::move(value);
    return true;
  }

  bool Open(Json value) {
    // The document itself is the first level and no nesting.
    if (depth_ == kMaxJsonDepth) {
      return Fail(fmt::format("nested deeper than {}", kMaxJsonDepth));
    }
    Json& opened = Next();
    opened = std::move(value);
    ++depth_;
    open_.push_back({.value = &opened});
    return true;
  }

  bool Close() {
    open_.pop_back();
    --depth_;
    return true;
  }

  bool Fail(std::string message) {
    error_ = CaseError{Pointer(), std::move(message)};
    return false;
  }

  /// Where the next value goes.
  std::string Pointer() const {
    std::string pointer;
    for (const Level& level : open_) {
      if (&level == &open_.front()) continue;
      if (level.value->is_array()) {
        // An item that is open is in its array already.
        const bool innermost = &level == &open_.back();
        pointer +=
            fmt::format("/{}", level.value->size() - (innermost ? 0 : 1));
      } else if (!level.value->empty()) {
        pointer += "/" + PointerToken(level.key);
      }
    }
    return pointer;
  }

  std::vector<Level> open_;
  int depth_ = 0;
  std::optional<CaseError> error_;
};

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

Json NumberJson(std::string_view text) {
  return Json::binary({text.begin(), text.end()});
}

std::optional<std::string> NumberText(const Json& json) {
  if (json.is_number_unsigned()) {
    return std::to_string(json.get<std::uint64_t>());
  }
  if (json.is_number_integer()) return std::to_string(json.get<std::int64_t>());
  if (json.is_number_float()) return json.dump();
  if (!json.is_binary()) return std::nullopt;
  return std::string(json.get_binary().begin(), json.get_binary().end());
}

std::expected<Json, CaseError> ParseJson(std::string_view text) {
  if (text.empty()) {
    return std::unexpected(CaseError{"", "the file is empty"});
  }
  if (text.starts_with("\xef\xbb\xbf")) {
    return std::unexpected(
        CaseError{"", "starts with a byte order mark; plain UTF-8 is allowed"});
  }
  // The parser takes a zero byte for the end of the text.
  if (const auto zero = text.find('\0'); zero != text.npos) {
    return std::unexpected(
        CaseError{"", fmt::format("not JSON at byte {}: a zero byte", zero)});
  }
  Json root;
  Builder builder(root);
  Json::sax_parse(text.begin(), text.end(), &builder);
  if (builder.error()) return std::unexpected(*builder.error());
  return root;
}

std::string LayOut(const Json& json) {
  std::string out;
  Write(json, 0, 0, out);
  return out + '\n';
}

std::string LineOf(const CaseError& error) {
  return error.pointer.empty() ? error.message
                               : error.pointer + ": " + error.message;
}

std::string PointerToken(std::string_view text) {
  std::string token;
  for (const char c : Quote(text)) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string Counted(std::uint64_t count, std::string_view one,
                    std::string_view many) {
  if (count != 1 && !many.empty()) return fmt::format("{} {}", count, many);
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string Quote(std::string_view text, std::size_t longest) {
  const bool cut = text.size() > longest;
  // Not in the middle of a UTF-8 character.
  while (cut && longest > 0 && (text[longest] & 0xc0) == 0x80) --longest;
  std::string visible;
  for (char c : text.substr(0, longest)) {
    visible += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return cut ? visible + "…" : visible;
}

}  // namespace lanediff
