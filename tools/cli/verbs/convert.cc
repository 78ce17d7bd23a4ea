// A case as fuzzer bytes or source text, and fuzzer bytes as a case.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/fuzz_input.h"
#include "isa/catalogue.h"
#include "reports/export/export.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertOptions {
  std::string in;
  std::string as;       ///< of source text; empty: the API of the case
  std::string out;      ///< of source text empty: stdout
  std::string edition;  ///< empty: the case's own
  std::string product;  ///< likewise
};

bool IsJsonName(const std::string& path) {
  return fs::path(path).extension() == ".json";
}

int RunConvert(const ConvertOptions& options) {
  std::error_code error;
  if (fs::exists(options.out, error)) {
    return FailUsage(options.out + ": exists; name a new file");
  }
  Case c;
  if (IsJsonName(options.in)) {
    c = OrFail(ReadCaseFile(options.in), options.in + ": ");
  } else {
    const auto bytes = OrFail(ReadFile(options.in), options.in + ": ");
    if (bytes.size() > kMaxCaseFileBytes) {
      return FailUsage("{}: more than {} bytes; at most these are allowed",
                       options.in, kMaxCaseFileBytes);
    }
    c = DecodeFuzzInput(
        {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  ReadAs(options.edition, c, options.product);
  std::string text;
  if (IsJsonName(options.out)) {
    text = WriteCase(c);
  } else {
    const auto encoded = OrFail(EncodeFuzzInput(c), options.in + ": ");
    text.assign(encoded.begin(), encoded.end());
  }
  return WriteTo(options.out, [&] { return text; }) ? kAgree : kUsage;
}

int WriteAll(const exports::Snippet& snippet, const fs::path& out) {
  std::vector<std::pair<fs::path, std::string>> files;
  for (const exports::DataFile& file : snippet.files) {
    files.emplace_back(out.parent_path() / file.name,
                       std::string(file.bytes.begin(), file.bytes.end()));
  }
  files.emplace_back(out, snippet.text);  // last: what it loads is there then
  std::error_code error;
  for (const auto& [path, text] : files) {
    if (fs::exists(path, error)) {
      return FailUsage(path.string() + ": exists; name a new file");
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto written = WriteFile(files[i].first.string(), files[i].second);
    if (written) continue;
    while (i-- > 0) fs::remove(files[i].first, error);
    return FailUsage(written.error());
  }
  return kAgree;
}

int RunExport(const ConvertOptions& options) {
  auto c = OrFail(ReadCaseFile(options.in), options.in + ": ");
  ReadAs(options.edition, c, options.product);
  const auto api = OrFail(exports::ApiOf(c), options.in + ": ");
  if (!options.as.empty() && options.as != isa::Name(api)) {
    return FailUsage("{}: no program of {}; use --as {}", options.in,
                     options.as, isa::Name(api));
  }
  const fs::path out(options.out);
  const auto snippet = OrFail(exports::ExportCase(c, diff::ExpectedResultOf(c),
                                                  out.filename().string()),
                              options.in + ": ");
  if (!options.out.empty()) return WriteAll(snippet, out);
  fmt::print("{}", snippet.text);
  return kAgree;
}

/// "ascendc has Min, ...; tik has vec_trans."
std::string CallsOfApis() {
  std::string text;
  for (std::size_t i = 0; i < isa::kCount<isa::Api>; ++i) {
    const auto api = static_cast<isa::Api>(i);
    std::vector<std::string_view> ops;
    for (const isa::Instruction& one : isa::Instructions()) {
      if (one.api == api) ops.push_back(one.op);
    }
    text += fmt::format("{}{} has {}", text.empty() ? "" : "; ", isa::Name(api),
                        fmt::join(ops, ", "));
  }
  return text + ".";
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

void AddExport(CommandLine& line) {
  auto [verb, options] = line.Add(
      "convert --to source",
      "write a case as source text in the API of the documents", RunExport);
  verb.older = "export";
  verb.footer =
      "The text has the memories, every step up to the first that is rejected, "
      "and the expected result as comments; an illegal call is written all the "
      "same. " +
      CallsOfApis() +
      " Data that would make the text too long go to files beside FILE.";
  AddCase(verb, options.in);
  verb.Add("--as API", options.as,
           "ascendc, pto or tik; default: the API of CASE")
      .OneOf(AllWords<exports::Api>());
  verb.Add("-o,--out FILE", options.out, "new file; without it to stdout");
  AddReadAs(verb, options.edition, options.product);
  verb.Docs("command-line.md",
            {{"convert --to source corpus/min/count-129-halves-accepted.json"},
             {"convert --to source corpus/min/count-129-halves-accepted.json "
              "--out call.cpp"}});
}

}  // namespace lanediff::cli
