// Feeds arbitrary text to the case reader. What it accepts must be written and
// read back as the same case, and the second writing must be the first to the
// byte.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "fuzz/stats.h"
#include "fuzz/subject.h"

std::string_view lanediff::fuzz::Room() { return "case_json"; }

namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "FINDING %s\n", what);
  lanediff::fuzz::WriteStats();
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace lanediff;
  const auto c = ReadCase({reinterpret_cast<const char*>(data), size});
  if (c) {
    const std::string canonical = WriteCase(*c);
    const auto again = ReadCase(canonical);
    Require(again.has_value(), "a written case can't be read");
    Require(*again == *c, "a case changes when it is written and read");
    Require(WriteCase(*again) == canonical, "writing is not canonical");
    ++lanediff::fuzz::GlobalStats().legal;
  } else {
    Require(!c.error().message.empty(), "an error without a message");
  }
  lanediff::fuzz::NoteCaseDone();
  return 0;
}
