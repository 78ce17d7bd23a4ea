#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

struct ConvertOptions {
  std::string in;
  std::string out;
  std::string edition;  ///< empty: the case's own
  std::string product;  ///< likewise
};

bool IsJsonName(const std::string& path) {
  return std::filesystem::path(path).extension() == ".json";
}

std::string ToText(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

int RunConvert(const ConvertOptions& options) {
  std::error_code error;
  if (std::filesystem::exists(options.out, error)) {
    return FailUsage(options.out + ": exists; name a new file");
  }
  Case c;
  if (IsJsonName(options.in)) {
    auto read = ReadCaseFile(options.in);
    if (!read) return FailUsage(options.in + ": " + read.error());
    c = std::move(*read);
  } else {
    const auto bytes = ReadFile(options.in);
    if (!bytes) return FailUsage(options.in + ": " + bytes.error());
    if (bytes->size() > kMaxCaseFileBytes) {
      return FailUsage(
          fmt::format("{}: more than {} bytes; at most these are allowed",
                      options.in, kMaxCaseFileBytes));
    }
    c = DecodeFuzzInput(
        {reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size()});
  }
  ReadAs(options.edition, c, options.product);
  std::string text;
  if (IsJsonName(options.out)) {
    text = WriteCase(c);
  } else {
    const auto encoded = EncodeFuzzInput(c);
    if (!encoded) return FailUsage(options.in + ": " + encoded.error());
    text = ToText(*encoded);
  }
  const auto written = WriteFile(options.out, text);
  return written ? kAgree : FailUsage(written.error());
}

}  // namespace

void AddConvert(CommandLine& line) {
  auto [verb, options] = line.Add(
      "convert", "turn fuzzer bytes into a case, or a case into fuzzer bytes",
      RunConvert);
  verb.Add("IN", options.in, "case file (.json) or fuzzer input")
      .Required()
      .Of(FileKind::kAny);
  verb.Add("-o,--out FILE", options.out, "new file; .json for a case")
      .Required();
  AddReadAs(verb, options.edition, options.product);
  verb.Docs(
      "case-format.md",
      {{"convert corpus/min/count-129-halves-accepted.json --out input"},
       {"convert corpus/min/count-129-halves-accepted.json --out again.json"}});
}

}  // namespace lanediff::cli
