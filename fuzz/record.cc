#include "fuzz/record.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lanediff::fuzz {

std::string RecordPath(const char* suffix) {
  const char* const path = std::getenv("LANEDIFF_FUZZ_STATS");
  return path == nullptr ? "" : path + std::string(suffix);
}

void WriteRecord(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  const std::string temporary = path + ".tmp";
  // Not flushed to the disk: it has to outlive this process, not the machine.
  FILE* const file = std::fopen(temporary.c_str(), "w");
  bool written = file != nullptr &&
                 std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) written &= std::fclose(file) == 0;
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    EndUnwritten(
        fmt::format("{}: can't be written: {}", path, std::strerror(errno)));
  }
}

void EndUnwritten(const std::string& why) {
  fmt::print(stderr, "lanediff-fuzz: {}\n", why);
  // Not exit(): libFuzzer takes that for a crash of the target.
  std::_Exit(kCantWrite);
}

}  // namespace lanediff::fuzz
