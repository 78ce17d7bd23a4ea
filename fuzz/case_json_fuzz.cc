// Feeds arbitrary text to the case reader. What it accepts must be written and
// read back as the same case, and the second writing must be the first to the
// byte.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "fuzz/stats.h"
#include "fuzz/subject.h"

std::string_view lanediff::fuzz::Module() { return "case_json"; }

namespace {

/// What is wrong with the reader, shown by `text`; empty where nothing is.
std::string_view WrongAbout(std::string_view text) {
  using namespace lanediff;
  const auto c = ReadCase(text);
  if (!c) return c.error().message.empty() ? "an error without a message" : "";
  const std::string canonical = WriteCase(*c);
  const auto again = ReadCase(canonical);
  if (!again) return "a written case can't be read";
  if (*again != *c) return "a case changes when it is written and read";
  if (WriteCase(*again) != canonical) return "writing is not canonical";
  ++fuzz::GlobalStats().legal;
  return "";
}

}  // namespace

extern "C" [[gnu::nodebug]] int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                                       std::size_t size) {
  using namespace lanediff;
  const std::string_view wrong =
      WrongAbout({reinterpret_cast<const char*>(data), size});
  if (!wrong.empty()) {
    fuzz::PrintAssertion("case_json/" + std::string(wrong));
    fuzz::WriteStats();
    __builtin_trap();
  }
  fuzz::NoteCaseDone();
  return 0;
}
