#include "tools/history/add.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <string_view>
#include <utility>

#include "differential/testcase/allowed_text.h"
#include "differential/testcase/json.h"
#include "tools/history/writer.h"

namespace lanediff::campaign {
namespace {

/// "1.0.0+0123456789ab.changed.01234567" → "0123456789ab".
std::string CommitIn(std::string_view program) {
  const auto plus = program.find('+');
  if (plus == std::string_view::npos) return "";
  const std::string_view rest = program.substr(plus + 1);
  return std::string(rest.substr(0, rest.find('.')));
}

std::expected<DatedPart, std::string> ReadOf(const FoundDocument& document,
                                             const FoundBatch& batch,
                                             const AddOptions& options) {
  auto part = ReadPart(document.file);
  if (!part) return std::unexpected(part.error());
  DatedPart read{.part = *std::move(part)};
  if (document.seconds > 0) read.part.seconds = document.seconds;
  if (document.unfinished && read.part.unfinished.empty()) {
    read.part.unfinished = "its stage ran out of time";
  }
  read.date = !options.date.empty() ? options.date
              : !batch.date.empty() ? batch.date
                                    : read.part.day;
  if (read.date.empty()) {
    return std::unexpected("missing date; fix: pass --date YYYY-MM-DD");
  }
  if (const std::string wrong = NoDate(read.date); !wrong.empty()) {
    return std::unexpected(
        fmt::format("date: {}; fix: pass --date YYYY-MM-DD", wrong));
  }
  read.commit = !options.commit.empty() ? options.commit
                : !batch.commit.empty() ? batch.commit
                                        : CommitIn(read.part.program);
  return read;
}

}  // namespace

std::string NoDate(const std::string& text) {
  const auto wrong = [&] {
    return fmt::format(
        "found \"{}\"; YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ is allowed",
        Quote(text));
  };
  if (!NoDay(text.substr(0, 10)).empty()) return wrong();
  if (text.size() == 10) return "";
  constexpr std::string_view kForm = "T00:00:00Z";
  if (text.size() != 10 + kForm.size()) return wrong();
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const char c = text[10 + i];
    if (kForm[i] == '0' ? c < '0' || c > '9' : c != kForm[i]) return wrong();
  }
  const auto at = [&](std::size_t place) { return text.substr(place, 2); };
  return at(11) < "24" && at(14) < "60" && at(17) < "60" ? "" : wrong();
}

Adder::Adder(Database& database)
    : writer_(std::make_unique<Writer>(database)) {}
Adder::~Adder() = default;

AddResult Adder::Add(const FoundBatch& batch, const AddOptions& options) {
  AddResult result;
  std::vector<DatedPart> all = {};
  for (const FoundDocument& document : batch.documents) {
    auto read = ReadOf(document, batch, options);
    if (read) {
      all.push_back(*std::move(read));
    } else {
      result.problems.push_back(document.file + ": " + read.error());
    }
  }
  if (all.empty()) return result;
  Database::Transaction transaction(writer_->database());
  for (const DatedPart& read : all) {
    auto line = writer_->Add(read, options.label);
    if (line) {
      result.lines.push_back(*std::move(line));
    } else {
      result.problems.push_back(read.part.file + ": " + line.error());
    }
  }
  transaction.Commit();
  return result;
}

}  // namespace lanediff::campaign
