// Our own emulator as a program that speaks lanediff-target/1.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/find_target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/kernel_json.h"

namespace {

using namespace lanediff;

/// The text between the first `begin` and the end of the line, without the
/// brace that closes the request.
std::string_view CaseIn(std::string_view line) {
  const std::size_t at = line.find("\"case\":") + 7;
  return line.substr(at, line.size() - at - 1);
}

std::string_view IdIn(std::string_view line) {
  const std::size_t at = line.find("\"id\":") + 5;
  return line.substr(at, line.find(',', at) - at);
}

/// A digit of hex that lanediff wrote.
constexpr int Digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// The case in `line`. The bytes of its memories don't go through the parser of
/// JSON, which looks at each digit several times: they are cut out, and put in
/// afterwards.
std::expected<Case, CaseError> CaseOf(std::string_view line) {
  constexpr std::string_view kHex = "\"hex\":\"";
  std::vector<std::string_view> cut;
  std::string rest;
  std::string_view text = CaseIn(line);
  const std::string_view program = text.substr(text.find("\"program\":"));
  text.remove_suffix(program.size());
  for (auto at = text.find(kHex); at != text.npos; at = text.find(kHex)) {
    at += kHex.size();
    rest += text.substr(0, at);
    text.remove_prefix(at);
    cut.push_back(text.substr(0, text.find('"')));
    text.remove_prefix(cut.back().size());
  }
  auto c = ReadCase(rest.append(text).append(program));
  if (!c) return c;
  auto next = cut.begin();
  for (auto& image : c->memory) {
    if (!image) continue;
    for (Region& region : image->regions) {
      region.bytes.resize(next->size() / 2);
      for (std::size_t i = 0; i < region.bytes.size(); ++i) {
        region.bytes[i] = static_cast<std::uint8_t>(Digit((*next)[2 * i]) * 16 +
                                                    Digit((*next)[2 * i + 1]));
      }
      ++next;
    }
  }
  return c;
}

std::string IdsText(std::string_view name,
                    const std::vector<isa::RuleId>& ids) {
  std::string text = fmt::format(",\"{}\":[", name);
  for (const isa::RuleId id : ids) {
    text += fmt::format("{}\"{}\"", text.back() == '[' ? "" : ",", id.text());
  }
  return text + "]";
}

std::string MemoryText(const RegionsByMemory& memory) {
  std::string text = ",\"memory\":{";
  for (std::size_t m = 0; m < memory.size(); ++m) {
    if (memory[m].empty()) continue;
    text += text.back() == '{' ? "\"" : ",\"";
    text += isa::Name(static_cast<isa::Memory>(m));
    text += "\":[";
    for (const Region& region : memory[m]) {
      text += text.back() == '[' ? "{\"at\":" : ",{\"at\":";
      text += std::to_string(region.at) + ",\"hex\":\"";
      text += HexBytes(region.bytes) + "\"}";
    }
    text += ']';
  }
  return text + "}";
}

std::string OutcomeText(const Outcome& outcome) {
  constexpr std::string_view kWords[] = {"executed", "rejected", "unsupported"};
  const auto status = static_cast<std::size_t>(outcome.status);
  std::string text = fmt::format("{{\"outcome\":\"{}\"", kWords[status]);
  if (status > 0) text += fmt::format(",\"step\":{}", outcome.step);
  if (outcome.rules) text += IdsText("rules", *outcome.rules);
  if (outcome.notes) text += IdsText("notes", *outcome.notes);
  if (outcome.memory) text += MemoryText(*outcome.memory);
  return text + "}";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const diff::Target& emulator = **diff::FindTarget("emulator");
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.starts_with("{\"lanediff\":\"hello\"")) {
      std::cout << R"({"hello": {"protocol": 1, "name": "lanediff's emulator",)"
                << R"( "version": "1", "capabilities": {"legality": "rules",)"
                << R"( "notes": true, "window": 16, "memory": "sparse"}}})"
                << std::endl;
      continue;
    }
    const auto c = CaseOf(line);
    if (c) {
      std::cout << "{\"id\":" << IdIn(line)
                << ",\"outcome\":" << OutcomeText(emulator.Run(*c).value())
                << "}" << std::endl;
    } else {
      std::cout << "{\"id\":" << IdIn(line) << ",\"error\":\""
                << "this is no case\"}" << std::endl;
    }
  }
}
