// Runs cases on one target and prints the results, as outcome documents.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <expected>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <variant>

#include "differential/compare/rule_text.h"
#include "differential/targets/account.h"
#include "differential/targets/recorded/target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "differential/testcase/element.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "reports/list_record.h"
#include "reports/printable.h"
#include "reports/reasons.h"
#include "reports/trace/facts.h"
#include "reports/trace/sides.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/run_source.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/explain/explain.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using Status = Outcome::Status;

struct ExecOptions {
  std::vector<std::string> paths;
  TargetOptions target;
  std::string out;  ///< folder for outcome documents; empty: print that of one
  bool values = false;  ///< what is written as numbers, instead of the document
  bool truth = false;   ///< with the true values
  bool all = false;     ///< of them
  std::string json;     ///< file for the values as JSON, "-": stdout
  std::vector<std::string> memories;  ///< of which; none: of all
  std::string edition;                ///< empty: the cases' own
  std::string product;                ///< likewise
};

/// Leaves out the rows of other memories, and what is counted of them.
void KeepMemories(const std::vector<std::string>& memories,
                  view::Values& values) {
  std::erase_if(values.rows, [&](const view::ValueRow& row) {
    return std::ranges::find(memories, isa::Name(row.memory)) == memories.end();
  });
  values.bytes = 0;
  for (const view::ValueRow& row : values.rows) {
    values.bytes += row.elements * isa::SizeBytes(row.dtype);
  }
}

/// Of a long row: bytes of its line, and values on lines of their own.
constexpr std::size_t kEnough = 160;
constexpr std::size_t kFewValues = 16;

/// All rows; with --true a line a value, and without --all long rows are
/// shortened, the rest counted.
std::string ValuesText(const Case& c, const view::Values& values,
                       const ExecOptions& options) {
  std::string text;
  for (const view::ValueRow& row : values.rows) {
    text += explain::RowHead(c, row);
    if (!options.truth || row.operand.empty()) {
      text += explain::RowText(
                  row, options.all ? std::numeric_limits<std::size_t>::max()
                                   : kEnough) +
              "\n";
      continue;
    }
    text.back() = '\n';
    std::int64_t printed = 0;
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (!options.all && i == kFewValues) {
        text += fmt::format("    … {} more\n", row.elements - printed);
        break;
      }
      const view::Value& value = row.values[i];
      text += fmt::format(
          "    {}  exact {}, {}\n", explain::ValueText(row.dtype, value),
          view::ShortDecimal(value.exact),
          value.ulp.empty() ? "no finite distance" : value.ulp + " ULP");
      printed += value.count;
    }
  }
  if (values.rows.empty()) text += "  no byte is written\n";
  if (values.unspecified_bytes > 0) {
    text += fmt::format("  {} left open by the documents and not printed\n",
                        Counted(values.unspecified_bytes, "byte"));
  }
  return text;
}

/// The same as a JSON document.
std::string ValuesJson(const Case& c, const Outcome& outcome,
                       const view::Values& values, bool truth) {
  reports::ValuesRecord record;
  record.id = c.id;
  record.outcome = outcome.rejected() ? "rejected" : "executed";
  if (outcome.rejected()) record.step = outcome.step;
  record.bytes = values.bytes;
  record.unspecified_bytes = values.unspecified_bytes;
  for (const view::ValueRow& row : values.rows) {
    reports::ListedValues& listed = record.values.emplace_back();
    listed.memory = row.memory;
    listed.at = row.at;
    listed.dtype = row.dtype;
    if (!row.operand.empty()) {
      listed.step = row.step;
      listed.op = isa::OpName(c.program[row.step]);
      listed.operand = row.operand;
    }
    listed.count = row.elements;
    for (const view::Value& value : row.values) {
      const ElementText text = ElementToText(row.dtype, value.bits);
      reports::ListedElement& element = listed.elements.emplace_back();
      element.value.text = text.quoted ? Json(text.text).dump() : text.text;
      element.bits = fmt::format("{:#x}", value.bits);
      element.count = value.count;
      if (!truth || row.operand.empty()) continue;
      element.exact = value.exact;
      element.ulp = value.ulp;
    }
  }
  return RecordText(record);
}

/// Numbers instead of the outcome's bytes; false, with a message, if they can't
/// be written.
bool PrintValues(const Case& c, const Outcome& outcome,
                 const ExecOptions& options) {
  view::Values values = view::ValuesOf(c, outcome);
  if (!options.memories.empty()) KeepMemories(options.memories, values);
  if (!options.json.empty()) {
    return WriteTo(options.json, [&] {
      return ValuesJson(c, outcome, values, options.truth);
    });
  }
  fmt::print("{}{}, edition {}\n",
             outcome.rejected()
                 ? fmt::format("rejected at step {}", outcome.step)
                 : "executed",
             outcome.rejected() ? diff::RuleList(outcome.RulesOrNone()) : "",
             isa::Name(c.edition));
  fmt::print("{}", ValuesText(c, values, options));
  return true;
}

int PrintOutcome(const ExecOptions& options, const diff::Target& target) {
  const std::string& path = options.paths.front();
  auto c = ReadCaseFile(path);
  if (!c) return FailUsage(path + ": " + c.error());
  ReadAs(options.edition, *c, options.product);
  const auto outcome = target.Run(*c);
  if (!outcome) {
    FailUsage(path + ": " + outcome.error().why);
    return diff::IsFailure(outcome.error().kind) ? kTargetFailed : kUsage;
  }
  const bool ran = outcome->status != Status::kUnsupported;
  if (options.values && ran) {
    if (!outcome->memory) {
      return FailUsage(path + ": --values: " + std::string(target.name()) +
                       " returned no memory");
    }
    if (!PrintValues(*c, *outcome, options)) return kUsage;
  } else {
    fmt::print("{}", WriteOutcome(*outcome, ""));
  }
  if (outcome->status == Status::kUnsupported) {
    return FailUsage("{} can't do step {}", target.name(), outcome->step);
  }
  return kAgree;
}

/// Leaves one document for each case in a folder. One thread.
class Recorder final : public diff::Sink<FileCase, std::monostate> {
 public:
  Recorder(const diff::Target& target, const ExecOptions& options)
      : target_(target), options_(options) {}

  std::monostate Begin(std::size_t) override { return {}; }
  bool Compare(FileCase&& read, std::size_t, std::monostate&) override {
    std::expected<void, std::string> done;
    const auto thrown = Thrown([&] { done = TryRecord(read); });
    if (thrown) done = std::unexpected(*thrown);
    if (!done) {
      ++failed_;
      lines_.Add(false,
                 fmt::format("failed {}: {}\n", reports::InOneLine(read.path),
                             reports::InOneLine(done.error())));
    }
    return true;
  }
  void Take(std::size_t, std::monostate&&) override {}

  /// Prints what the run came to; the status.
  int Finish(const diff::RunEnd& end) const {
    const std::string unfinished = end.Unfinished();
    fmt::print("{}{}", IncompleteText(reports::ReasonsFrom({unfinished})),
               lines_.Text());
    fmt::print(
        "exec: {} cases on {}: {} executed, {} rejected, {} unsupported, {} "
        "failed; outcomes in {}, edition {}\n",
        end.done, target_.name(), executed_, rejected_, unsupported_, failed_,
        reports::InOneLine(options_.out), fmt::join(editions_, ", "));
    if (!unfinished.empty()) return FailUsage(unfinished);
    if (target_failed_) return kTargetFailed;
    if (failed_ > 0) return kUsage;
    return executed_ + rejected_ > 0 ? kAgree : FailUsage("nothing was run");
  }

 private:
  std::expected<void, std::string> TryRecord(const FileCase& read) {
    if (!read.error.empty()) return std::unexpected(read.error);
    const Case& c = read.c;
    editions_.insert(isa::Name(c.edition));
    const auto file = diff::OutcomePath(options_.out, c.id);
    if (!file) return std::unexpected(file.error());
    std::error_code error;
    if (fs::exists(*file, error)) {
      return std::unexpected(*file +
                             ": exists; remove it or name another folder");
    }
    const auto outcome = target_.Run(c);
    if (!outcome) {
      target_failed_ |= diff::IsFailure(outcome.error().kind);
      return std::unexpected(outcome.error().why);
    }
    if (const auto other = target_.LookAgain(c, &*outcome)) {
      target_failed_ = true;
      return std::unexpected(other->why);
    }
    if (auto* const account = target_.account()) account->Add(c, *outcome);
    fs::create_directories(fs::path(*file).parent_path(), error);
    if (error) {
      return std::unexpected(*file + ": can't be written: " + error.message());
    }
    const auto written = WriteFile(*file, WriteOutcome(*outcome, c.id));
    if (!written) return std::unexpected(written.error());
    executed_ += outcome->status == Status::kExecuted;
    rejected_ += outcome->status == Status::kRejected;
    unsupported_ += outcome->status == Status::kUnsupported;
    return {};
  }

  const diff::Target& target_;
  const ExecOptions& options_;
  std::set<std::string_view> editions_;  ///< of the cases that are read
  std::size_t executed_ = 0;
  std::size_t rejected_ = 0;
  std::size_t unsupported_ = 0;
  std::size_t failed_ = 0;
  bool target_failed_ = false;
  CaseLines lines_;  ///< of those that failed
};

int RecordOutcomes(const ExecOptions& options, const diff::Target& target) {
  if (!MakeFolder(options.out, "--out")) return kUsage;
  WatchInterrupt();
  Recorder recorder(target, options);
  FileSource source(FindCases(options.paths), options.edition, options.product);
  return recorder.Finish(RunSource(source, OracleAlone(), recorder));
}

int RunExec(const ExecOptions& options) {
  if (!options.values && (options.truth || !options.json.empty() ||
                          options.all || !options.memories.empty())) {
    return FailUsage(
        "--true, --all, --memory and --json belong to --values; add --values");
  }
  if (options.values && !options.out.empty()) {
    return FailUsage(
        "--values prints numbers and --out leaves outcome documents; one of "
        "them is allowed");
  }
  const diff::Target* const target = FindTarget(options.target, Takes::kAny);
  if (!options.out.empty()) {
    return FinishTarget(*target, RecordOutcomes(options, *target));
  }
  std::error_code error;
  if (options.paths.size() > 1 ||
      fs::is_directory(options.paths.front(), error)) {
    return FailUsage(
        "one case file is printed; for several, --out DIR takes a document of "
        "each");
  }
  return FinishTarget(*target, PrintOutcome(options, *target));
}

}  // namespace

void AddExec(CommandLine& line) {
  auto [verb, options] = line.Add(
      "target run", "run cases on one target, print or record their outcomes",
      RunExec);
  verb.older = "exec";
  verb.footer =
      "Without --out the outcome of one case is printed. With it the outcome "
      "of every case goes to DIR/ID.json, ID being the case's id, where "
      "\"lanediff check PATH... --target recorded:DIR\" finds it again. "
      "Nothing is overwritten.";
  AddCases(verb, options.paths);
  AddTarget(verb, options.target, "where to run them");
  AddReadAs(verb, options.edition, options.product);
  verb.Add("--out DIR", options.out, "folder for outcome documents");
  verb.Add("--values", options.values,
           "what the program writes as numbers and bits, by memory and "
           "address, each in the type of the step that wrote it last");
  verb.Add("--true", options.truth,
           "with --values: the exact value beside each, and the error in ULP");
  verb.Add("--all", options.all,
           "with --values: every element, however long a row is");
  verb.Add("--memory", options.memories,
           "with --values: what is in these memories alone")
      .ByCommas()
      .OneOf(AllWords<isa::Memory>());
  verb.Add(
          "--json FILE", options.json,
          "with --values: write a JSON document instead; -: to standard output")
      .WasFlag();
  AddVerbose(verb, "a line for every case that failed");
  verb.Docs("command-line.md",
            {{"target run corpus/min/count-129-halves-accepted.json --values"},
             {"target run corpus/min --target emulator --out outcomes"}});
}

}  // namespace lanediff::cli
