// Our own emulator as a program that speaks lanediff-target/1.

#include <cstdio>
#include <iostream>
#include <string>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "diff/targets/find_target.h"

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

std::string InOneLine(std::string text) {
  std::erase(text, '\n');
  return text;
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
    const auto c = ReadCase(CaseIn(line));
    if (c) {
      std::cout << "{\"id\":" << IdIn(line) << ",\"outcome\":"
                << InOneLine(WriteOutcome(emulator.Run(*c).value(), "")) << "}"
                << std::endl;
    } else {
      std::cout << "{\"id\":" << IdIn(line) << ",\"error\":\""
                << "this is no case\"}" << std::endl;
    }
  }
}
