#include "export/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "cli/common.h"
#include "diff/expected_result.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

/// Writes the snippet and its files, or nothing.
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

}  // namespace

int RunExport(const ExportOptions& options) {
  const auto c = ReadCaseFile(options.path);
  if (!c) return FailUsage(options.path + ": " + c.error());
  const auto api = exports::ApiOf(*c);
  if (!api) return FailUsage(options.path + ": " + api.error());
  if (!options.as.empty() && options.as != isa::Name(*api)) {
    return FailUsage(fmt::format("{}: {} can't say this program; --as {} can",
                                 options.path, options.as, isa::Name(*api)));
  }
  const fs::path out(options.out);
  const auto snippet = exports::ExportCase(*c, diff::ExpectedResultOf(*c),
                                           out.filename().string());
  if (!snippet) return FailUsage(options.path + ": " + snippet.error());
  if (!options.out.empty()) return WriteAll(*snippet, out);
  fmt::print("{}", snippet->text);
  return kAgree;
}

}  // namespace lanediff::cli
