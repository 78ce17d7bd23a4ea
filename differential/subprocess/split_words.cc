#include "differential/subprocess/split_words.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace lanediff::diff {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Takes a command apart, character by character.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::expected<std::vector<std::string>, std::string> Split() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (IsBlank(c)) {
        EndWord();
      } else if (c == '\'') {
        if (!TakeLiteral()) return std::unexpected("a ' has no end");
      } else if (c == '"') {
        if (!TakeQuoted()) return std::unexpected("a \" has no end");
      } else if (c == '\\') {
        if (at_ == text_.size()) return std::unexpected("it ends with a \\");
        TakeEscaped();
      } else {
        Word() += c;
      }
    }
    EndWord();
    return std::move(words_);
  }

 private:
  std::string& Word() {
    if (!word_) word_.emplace();
    return *word_;
  }
  void EndWord() {
    if (word_) words_.push_back(std::move(*word_));
    word_.reset();
  }
  bool TakeLiteral() {
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    Word() += text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }
  bool TakeQuoted() {
    Word();
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      const bool escapes = c == '\\' && at_ < text_.size() &&
                           std::string_view("\"\\$`\n").contains(text_[at_]);
      if (escapes) {
        TakeEscaped();
      } else {
        Word() += c;
      }
    }
    return false;
  }
  /// The character behind a backslash; an end of line is nothing.
  void TakeEscaped() {
    const char c = text_[at_++];
    if (c != '\n') Word() += c;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> word_;  ///< under way; may be empty
  std::vector<std::string> words_;
};

}  // namespace

std::expected<std::vector<std::string>, std::string> SplitWords(
    std::string_view command) {
  return Splitter(command).Split();
}

}  // namespace lanediff::diff
