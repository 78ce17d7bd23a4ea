#include "tools/cli/exercise/damage.h"

#include <cctype>
#include <cstddef>
#include <vector>

namespace lanediff::cli {
namespace {

struct Token {
  enum class Kind { kNumber, kString, kMark };
  Kind kind;
  std::size_t at;
  std::size_t size;
};

bool IsNumberChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
         c == '+' || c == '.';
}

std::vector<Token> TokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    Token::Kind kind = Token::Kind::kMark;
    if (text[i] == '"') {
      kind = Token::Kind::kString;
      while (end < text.size() && text[end] != '"') ++end;
      end = end < text.size() ? end + 1 : end;
    } else if (IsNumberChar(text[i])) {
      kind = Token::Kind::kNumber;
      while (end < text.size() && IsNumberChar(text[end])) ++end;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    tokens.push_back({kind, i, end - i});
    i = end;
  }
  return tokens;
}

class Damager {
 public:
  Damager(std::string_view text, std::mt19937_64& random)
      : text_(text), random_(random) {}

  std::string Take() && { return std::move(text_); }

  void DamageOnce() {
    const std::vector<Token> tokens = TokensOf(text_);
    if (tokens.empty()) return;
    switch (Below(10)) {
      case 0:
        return DamageBytes();
      case 1:
        return LeaveOut(tokens);
      case 2:
        return SayTwice(tokens);
      case 3:
      case 4:
        return Replace(PickOf(tokens, Token::Kind::kString), String(tokens));
      default:
        return Replace(PickOf(tokens, Token::Kind::kNumber), Number(tokens));
    }
  }

 private:
  std::size_t Below(std::size_t n) { return random_() % n; }
  template <class T>
  const T& Pick(const std::vector<T>& all) {
    return all[Below(all.size())];
  }

  std::string TextOf(const Token& token) const {
    return text_.substr(token.at, token.size);
  }
  void Replace(const Token& token, const std::string& by) {
    text_.replace(token.at, token.size, by);
  }

  /// One of that kind, or any where there is none.
  const Token& PickOf(const std::vector<Token>& tokens, Token::Kind kind) {
    for (int i = 0; i < 100; ++i) {
      const Token& token = Pick(tokens);
      if (token.kind == kind) return token;
    }
    return Pick(tokens);
  }

  std::string Number(const std::vector<Token>& tokens) {
    static const std::vector<std::string> kNumbers = {
        "0",
        "-0",
        "-0.0",
        "-1",
        "1",
        "2",
        "15",
        "16",
        "31",
        "32",
        "33",
        "63",
        "64",
        "65",
        "127",
        "128",
        "-128",
        "255",
        "256",
        "257",
        "512",
        "4095",
        "4096",
        "32767",
        "-32768",
        "65504",
        "65519.99",
        "65520",
        "65535",
        "65536",
        "196608",
        "262144",
        "1048576",
        "2147483647",
        "-2147483648",
        "4294967295",
        "1073741824",
        "1073741825",
        "9007199254740993",
        "4611686018427387904",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e3",
        "0.1",
        "-2.5",
        "5e-324",
        "1e308",
        "1e400",
        "1e-9223372036854775808",
        "1e9223372036854775807",
        "1e-99999999999999999999",
        "0.0000305",
        "true",
        "null",
        "\"nan\"",
        "\"-0\"",
        "\"0x7e01\"",
        "[]",
        "{}",
        R"({"from": 0.1, "step": 1e-9, "count": 536870912})",
        R"({"value": 1, "count": 1073741824})",
        R"({"from": -1, "step": 1, "count": 128})"};
    switch (Below(6)) {
      case 0:
        return TextOf(PickOf(tokens, Token::Kind::kNumber));
      case 1:
        return "0." +
               std::string(Below(3000), '1' + static_cast<char>(Below(9)));
      default:
        return Pick(kNumbers);
    }
  }

  std::string String(const std::vector<Token>& tokens) {
    static const std::vector<std::string> kStrings = {"nan",
                                                      "inf",
                                                      "-inf",
                                                      "-0",
                                                      "0x0",
                                                      "0xffff",
                                                      "0x7e01",
                                                      "0x",
                                                      "0xffffffffffffffff",
                                                      "GM",
                                                      "UB",
                                                      "L1",
                                                      "L0C",
                                                      "BT",
                                                      "FB",
                                                      "VECIN",
                                                      "VECOUT",
                                                      "VECCALC",
                                                      "A1",
                                                      "C2",
                                                      "CO1",
                                                      "half",
                                                      "float",
                                                      "bfloat16",
                                                      "double",
                                                      "int8",
                                                      "uint64",
                                                      "ND",
                                                      "DN",
                                                      "MTE2",
                                                      "ALL",
                                                      "executed",
                                                      "rejected",
                                                      "left-fold",
                                                      "block-lanes",
                                                      "at",
                                                      "bytes",
                                                      "count",
                                                      "hex",
                                                      "values",
                                                      "dtype",
                                                      "params",
                                                      "mask",
                                                      "a5",
                                                      "\xef\xbf\xbf\\uffff",
                                                      "\\u001b[31m\\r\\n",
                                                      "\\u0000",
                                                      "<script>&amp;\\\"'",
                                                      "\xff\xfe",
                                                      "../../x",
                                                      "\xf0\x9f\x98\x80"};
    switch (Below(8)) {
      case 0:
        return '"' + std::string(Below(70'000), 'a') + '"';
      case 1:
      case 2:
        return TextOf(PickOf(tokens, Token::Kind::kString));
      default:
        return '"' + Pick(kStrings) + '"';
    }
  }

  void DamageBytes() {
    const std::size_t at = Below(text_.size());
    switch (Below(4)) {
      case 0:
        text_[at] = static_cast<char>(Below(256));
        break;
      case 1:
        text_.resize(at);
        break;
      case 2:
        text_.erase(at, 1 + Below(20));
        break;
      default:
        text_.insert(at, std::string(1 + Below(3), "{}[],:\"-\\"[Below(9)]));
        break;
    }
  }

  /// A few tokens from somewhere on, with the comma behind them if there is
  /// one, so that much of what is left is a document still.
  std::pair<std::size_t, std::size_t> Part(const std::vector<Token>& tokens) {
    const std::size_t first = Below(tokens.size());
    std::size_t last = std::min(first + Below(12), tokens.size() - 1);
    for (std::size_t i = first; i <= last; ++i) {
      if (text_[tokens[i].at] == ',') last = i;
    }
    return {tokens[first].at, tokens[last].at + tokens[last].size};
  }

  void LeaveOut(const std::vector<Token>& tokens) {
    const auto [begin, end] = Part(tokens);
    text_.erase(begin, end - begin);
  }

  void SayTwice(const std::vector<Token>& tokens) {
    const auto [begin, end] = Part(tokens);
    text_.insert(end, text_.substr(begin, end - begin));
  }

  std::string text_;
  std::mt19937_64& random_;
};

}  // namespace

std::string Damaged(std::string_view text, std::mt19937_64& random) {
  Damager damager(text, random);
  for (std::size_t n = 1 + random() % 4; n > 0; --n) damager.DamageOnce();
  return std::move(damager).Take();
}

}  // namespace lanediff::cli
