#include "reports/export/export.h"

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
#include "isa/catalogue.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string path;
  std::string as;   ///< ascendc, pto or tik; empty: the API of the case
  std::string out;  ///< file; empty: stdout
  std::string edition;  ///< empty: the case's own
  std::string product;  ///< likewise
};

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

int RunExport(const ExportOptions& options) {
  auto c = OrFail(ReadCaseFile(options.path), options.path + ": ");
  ReadAs(options.edition, c, options.product);
  const auto api = OrFail(exports::ApiOf(c), options.path + ": ");
  if (!options.as.empty() && options.as != isa::Name(api)) {
    return FailUsage(fmt::format("{}: no program of {}; use --as {}",
                                 options.path, options.as, isa::Name(api)));
  }
  const fs::path out(options.out);
  const auto snippet = OrFail(exports::ExportCase(c, diff::ExpectedResultOf(c),
                                                  out.filename().string()),
                              options.path + ": ");
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
  AddCase(verb, options.path);
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
