#include "tools/prepare/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace lanediff::prepare {
namespace {

bool StartsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' ||
         c == '\v';
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> All() {
    while (at_ < source_.size()) Next();
    return std::move(tokens_);
  }

 private:
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool Here(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }
  void Add(Token::Kind kind, std::size_t from) {
    tokens_.push_back({kind, from, source_.substr(from, at_ - from)});
  }

  void Next() {
    const std::size_t from = at_;
    const char c = Peek();
    if (c == '\n') first_in_line_ = true;
    if (IsBlank(c)) {
      ++at_;
      return;
    }
    if (c == '\\' && (Peek(1) == '\n' || Peek(1) == '\r')) {
      at_ += 2;
      return;
    }
    if (Here("//")) return SkipLine();
    if (Here("/*")) {
      at_ = std::min(source_.find("*/", at_ + 2), source_.size() - 2) + 2;
      return;
    }
    const bool first = first_in_line_;
    first_in_line_ = false;
    if (c == '#' && first) return Directive();
    if (c == '"' || c == '\'') return Text(from);
    if (StartsWord(c)) return Word(from);
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return Number(from);
    at_ += Here("::") || Here("->") ? 2 : 1;
    Add(Token::Kind::kSign, from);
  }

  /// To the end of the line; a backslash before it continues it.
  void SkipLine() {
    while (at_ < source_.size() && Peek() != '\n') {
      const bool goes_on =
          Peek() == '\\' &&
          (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'));
      at_ += goes_on ? (Peek(1) == '\r' ? 3 : 2) : 1;
    }
  }

  /// Of #define and conditions the rest is code; of others it may be anything.
  void Directive() {
    std::size_t word = at_ + 1;
    while (word < source_.size() &&
           (source_[word] == ' ' || source_[word] == '\t')) {
      ++word;
    }
    if (source_.substr(word).starts_with("define")) {
      at_ = word + 6;
    } else {
      SkipLine();
    }
  }

  void Text(std::size_t from) {
    const char quote = source_[at_++];
    // A text that isn't closed ends with its line.
    while (at_ < source_.size() && Peek() != quote && Peek() != '\n') {
      at_ += Peek() == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + (Peek() == quote ? 1 : 0), source_.size());
    Add(Token::Kind::kText, from);
  }

  void Word(std::size_t from) {
    while (StartsWord(Peek()) || IsDigit(Peek())) ++at_;
    const std::string_view word = source_.substr(from, at_ - from);
    if (Peek() == '"' && IsOneOf(word, {"R", "LR", "uR", "UR", "u8R"})) {
      return RawText(from);
    }
    if ((Peek() == '"' || Peek() == '\'') &&
        IsOneOf(word, {"L", "u", "U", "u8", ""})) {
      return Text(from);
    }
    Add(Token::Kind::kWord, from);
  }

  static bool IsOneOf(std::string_view word,
                      std::array<std::string_view, 5> words) {
    return std::ranges::find(words, word) != words.end();
  }

  void RawText(std::size_t from) {
    const std::size_t open = source_.find('(', at_);
    if (open == source_.npos) {
      at_ = source_.size();
      return;
    }
    std::string close = ")";
    close += source_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const std::size_t end = source_.find(close, open);
    at_ = end == source_.npos ? source_.size() : end + close.size();
    Add(Token::Kind::kText, from);
  }

  void Number(std::size_t from) {
    // The preprocessor's number: 1'000, 0x1p-3, 1.5e+3f.
    while (at_ < source_.size()) {
      const char c = Peek();
      const bool separator =
          c == '\'' && (StartsWord(Peek(1)) || IsDigit(Peek(1)));
      const bool sign = (c == '+' || c == '-') && at_ > from &&
                        std::string_view("eEpP").contains(source_[at_ - 1]);
      if (!IsDigit(c) && !StartsWord(c) && c != '.' && !separator && !sign) {
        break;
      }
      ++at_;
    }
    Add(Token::Kind::kNumber, from);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  bool first_in_line_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> TokensOf(std::string_view source) {
  return Lexer(source).All();
}

std::size_t LineOf(std::string_view source, std::size_t at) {
  return 1 + std::ranges::count(source.substr(0, at), '\n');
}

}  // namespace lanediff::prepare
