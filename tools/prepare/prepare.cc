#include "tools/prepare/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanediff::prepare {
namespace {

struct Token {
  enum class Kind : std::uint8_t {
    kWord,    ///< identifier or keyword
    kNumber,  ///< with its digit separators
    kText,    ///< of characters, raw or not, or a character
    kSign,    ///< one character, but `::` and `->`
  };
  Kind kind = Kind::kSign;
  std::size_t at = 0;  ///< in the source
  std::string_view text;

  std::size_t end() const { return at + text.size(); }
  bool Is(std::string_view sign) const { return text == sign; }
};

bool StartsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsBlank(char c) { return std::string_view(" \t\r\n\f\v").contains(c); }

using Tokens = std::vector<Token>;

/// Finds the tokens of a source without blanks, comments, and lines of the
/// preprocessor that hold no code.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Tokens All() {
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
    const std::size_t word =
        std::min(source_.find_first_not_of(" \t", at_ + 1), source_.size());
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
  Tokens tokens_;
};

/// Line, from 1, of the byte at `at`.
std::size_t LineOf(std::string_view source, std::size_t at) {
  return 1 + std::ranges::count(source.substr(0, at), '\n');
}

/// Sentinel: no such token.
constexpr std::size_t kNone = ~std::size_t{0};

/// Whether `text` stands at token `i` in as many tokens as it has characters,
/// one behind the other without a gap.
bool Together(const Tokens& tokens, std::size_t i, std::string_view text) {
  if (i + text.size() > tokens.size()) return false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!tokens[i + k].Is(text.substr(k, 1)) ||
        tokens[i + k].at != tokens[i].at + k) {
      return false;
    }
  }
  return true;
}

bool Opens(const Token& t) { return t.Is("(") || t.Is("[") || t.Is("{"); }
bool Closes(const Token& t) { return t.Is(")") || t.Is("]") || t.Is("}"); }

/// The token that closes what token `i` opens.
std::size_t CloserOf(const Tokens& tokens, std::size_t i) {
  std::size_t depth = 0;
  for (; i < tokens.size(); ++i) {
    if (Opens(tokens[i])) ++depth;
    if (Closes(tokens[i]) && --depth == 0) return i;
  }
  return kNone;
}

/// The `<` that token `i`, a `>`, closes; angles in parentheses are others.
std::size_t AngleOf(const Tokens& tokens, std::size_t i) {
  std::size_t angles = 0;
  std::size_t depth = 0;
  for (;; --i) {
    const Token& t = tokens[i];
    if (Closes(t)) ++depth;
    if (Opens(t)) {
      if (depth == 0) return kNone;
      --depth;
    }
    if (depth == 0) {
      if (t.Is(">")) ++angles;
      if (t.Is("<") && --angles == 0) return i;
      if (t.Is(";")) return kNone;
    }
    if (i == 0) return kNone;
  }
}

/// The first token of a name of which token `i` is the last: a macro may paste
/// it, `N##k`. kNone if it is no name.
std::size_t PastedFrom(const Tokens& tokens, std::size_t i) {
  const auto is_part = [&](std::size_t k) {
    return tokens[k].kind == Token::Kind::kWord ||
           tokens[k].kind == Token::Kind::kNumber;
  };
  if (!is_part(i)) return kNone;
  while (i >= 3 && Together(tokens, i - 2, "##") && is_part(i - 3)) i -= 3;
  return tokens[i].kind == Token::Kind::kWord ? i : kNone;
}

/// The first token of the name, with qualifiers and arguments of templates,
/// that ends before token `i`.
std::size_t NameBefore(const Tokens& tokens, std::size_t i) {
  for (;;) {
    if (i == 0) return kNone;
    --i;
    if (tokens[i].Is(">")) {
      i = AngleOf(tokens, i);
      if (i == kNone || i == 0) return kNone;
      --i;
    }
    const std::size_t word = PastedFrom(tokens, i);
    if (word == kNone) return kNone;
    if (word == 0 || !tokens[word - 1].Is("::")) return word;
    i = word - 1;
    // `::f` of the global namespace.
    const bool qualified =
        i > 0 &&
        (tokens[i - 1].Is(">") || (tokens[i - 1].kind == Token::Kind::kWord &&
                                   !tokens[i - 1].Is("return")));
    if (!qualified) return i;
  }
}

/// The first of the three `>` that end the arguments of a launch, from token
/// `i` on, before a `(`.
std::size_t LaunchEnd(const Tokens& tokens, std::size_t i) {
  while (i < tokens.size()) {
    if (Opens(tokens[i])) {
      i = CloserOf(tokens, i);
      if (i == kNone) return kNone;
    } else if (Closes(tokens[i]) || tokens[i].Is(";")) {
      return kNone;
    } else if (Together(tokens, i, ">>>")) {
      // Of S<T<U>>>>(x) the last three are the launch's.
      while (Together(tokens, i + 1, ">>>")) ++i;
      return i;
    }
    ++i;
  }
  return kNone;
}

/// A launch in a source: from the name's first byte to behind its arguments.
struct Launch {
  std::size_t name = 0;
  std::size_t end = 0;
  std::string text;  ///< what stands there instead
};

/// The launch whose `<<<` begins at token `open`, or what is wrong with it.
std::expected<Launch, const char*> LaunchAt(std::string_view source,
                                            const Tokens& tokens,
                                            std::size_t open) {
  const std::size_t name = NameBefore(tokens, open);
  if (name == kNone) return std::unexpected("no name before <<<");
  const std::size_t close = LaunchEnd(tokens, open + 3);
  if (close == kNone) return std::unexpected("<<< without >>>");
  const std::size_t call = close + 3;
  if (call >= tokens.size() || !tokens[call].Is("(")) {
    return std::unexpected("no ( behind >>>");
  }
  const std::size_t last = CloserOf(tokens, call);
  if (last == kNone) return std::unexpected("the ( behind >>> is not closed");
  const std::size_t begin = tokens[name].at;
  const std::size_t end = tokens[last].end();
  const auto between = [&](std::size_t from, std::size_t to) {
    return source.substr(from, to - from);
  };
  return Launch{
      .name = begin,
      .end = end,
      .text = fmt::format("::lanediff::KernelLaunch({}).Run([&]{{ {}{}; }})",
                          between(tokens[open].at + 3, tokens[close].at),
                          between(begin, tokens[open].at),
                          between(tokens[close].at + 3, end))};
}

}  // namespace

std::string Literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7f) {
      // Three digits: one that follows is not part of it.
      literal += fmt::format("\\{:03o}", byte);
      continue;
    }
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::expected<std::string, std::string> Prepare(std::string_view text,
                                                std::string_view file) {
  const Tokens tokens = Lexer(text).All();
  std::string made = MayLaunch(text) ? "#include \"lanediff/kernel.h\"\n" : "";
  made += "#line 1 " + Literal(file) + "\n";
  std::size_t copied = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].at < copied || !Together(tokens, i, "<<<") ||
        (i > 0 && tokens[i - 1].Is("operator"))) {
      continue;
    }
    const auto launch = LaunchAt(text, tokens, i);
    if (!launch) {
      return std::unexpected(fmt::format(
          "{}:{}: {}; a launch is f<<<blocks, ub, stream>>>(arguments)", file,
          LineOf(text, tokens[i].at), launch.error()));
    }
    made += text.substr(copied, launch->name - copied);
    made += launch->text;
    copied = launch->end;
  }
  return made.append(text.substr(copied));
}

bool MayLaunch(std::string_view text) { return text.find("<<<") != text.npos; }

}  // namespace lanediff::prepare
