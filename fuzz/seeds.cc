// Writes what stands beside the fuzz programs where others run them, such as
// OSS-Fuzz: lanediff-seeds CORPUS OUT. For each program the folder
// OUT/PROGRAM_seed_corpus, a file for each case of CORPUS that is about what
// the program fuzzes, and OUT/PROGRAM.dict:
//
// - of a program whose inputs are cases: the steps of its seeds, as they stand
//   in an input (docs/case-format.md). An input that is changed as bytes gets a
//   whole call by them, or another call in the place of one;
// - of lanediff-fuzz-case_json: names and words of the format, by its schemas.
//
// Status 2, with a line, where a file can't be read or written.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/fuzz_input.h"
#include "fuzz/case_files.h"
#include "generators/random/generate.h"
#include "isa/step.h"

namespace {

using namespace lanediff;
namespace fs = std::filesystem;

/// libFuzzer leaves out longer words.
constexpr std::size_t kMostWordBytes = 64;

[[noreturn]] void Fail(const std::string& why) {
  fmt::print(stderr, "lanediff-seeds: {}\n", why);
  std::exit(2);
}

/// Without syncing each of some thousand files with the disk.
void Write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) Fail(path.string() + ": can't be written");
}

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) Fail(path.string() + ": can't be read");
  return text;
}

using Words = std::set<std::string>;

/// As libFuzzer reads dictionaries: what is not printed as it is, in hex.
std::string DictionaryOf(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    if (word.empty() || word.size() > kMostWordBytes) continue;
    text += '"';
    for (const char c : word) {
      const bool plain = ' ' <= c && c <= '~' && c != '"' && c != '\\';
      text += plain ? std::string(1, c)
                    : fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    }
    text += "\"\n";
  }
  return text;
}

/// A program, and what goes beside it.
struct Beside {
  std::string slug;
  std::size_t seeds = 0;
  Words words = {};
};

/// The bytes of `step` in an input: what follows version, product, memories (no
/// one) and number of steps.
std::string BytesOfStep(const isa::Step& step) {
  constexpr std::size_t kBefore = 4;
  Case c;
  c.program = {step};
  const auto bytes = EncodeFuzzInput(c);
  if (!bytes || bytes->front() != kFuzzInputVersion) return "";
  return {bytes->begin() + kBefore, bytes->end()};
}

bool Synchronizes(const isa::Step& step) {
  return std::holds_alternative<isa::SetFlag>(step) ||
         std::holds_alternative<isa::WaitFlag>(step) ||
         std::holds_alternative<isa::PipeBarrier>(step);
}

/// Whether the program of `slug` starts from `c`. That of lint, which is slow,
/// does not from the many that synchronize nothing.
bool IsAbout(std::string_view slug, const Case& c) {
  if (slug == "program" || slug == "case_json") return true;
  return std::ranges::any_of(c.program, [&](const isa::Step& step) {
    return slug == "lint" ? Synchronizes(step) : diff::SlugOf(step) == slug;
  });
}

class Writer {
 public:
  explicit Writer(fs::path out) : out_(std::move(out)) {
    for (const make::Generator& one : make::Generators()) Add(one.slug);
    Add("lint");
    Add("case_json");
  }

  void TakeCase(const fs::path& path) {
    const auto c = ReadCaseFile(path.string());
    if (!c) Fail(path.string() + ": " + c.error());
    const auto bytes = EncodeFuzzInput(*c);
    for (Beside& one : all_) {
      if (!IsAbout(one.slug, *c)) continue;
      if (one.slug == "case_json") {
        Seed(one, TextOf(path));
      } else if (bytes) {
        Seed(one, {bytes->begin(), bytes->end()});
        for (const isa::Step& step : c->program) {
          one.words.insert(BytesOfStep(step));
        }
      }
    }
  }

  void TakeSchema(const fs::path& path) {
    const auto schema = nlohmann::json::parse(TextOf(path), nullptr, false);
    if (schema.is_discarded()) Fail(path.string() + ": is no JSON");
    TakeWords(schema, all_.back().words);
  }

  void Finish() const {
    for (const Beside& one : all_) {
      if (one.seeds == 0) Fail("no seed for " + Program(one));
      Write(out_ / (Program(one) + ".dict"), DictionaryOf(one.words));
      fmt::print("{}: {} seeds, {} words\n", Program(one), one.seeds,
                 one.words.size());
    }
  }

 private:
  static std::string Program(const Beside& one) {
    return "lanediff-fuzz-" + one.slug;
  }

  fs::path Folder(const Beside& one) const {
    return out_ / (Program(one) + "_seed_corpus");
  }

  void Add(std::string_view slug) {
    all_.push_back({.slug = std::string(slug)});
    std::error_code error;
    const fs::path folder = Folder(all_.back());
    fs::create_directories(folder, error);
    if (error) Fail(folder.string() + ": can't be made: " + error.message());
  }

  void Seed(Beside& one, const std::string& input) {
    Write(Folder(one) / fmt::format("{:04}", one.seeds++), input);
  }

  /// The names of fields, with what stands around them, and the words that
  /// they may be.
  static void TakeWords(const nlohmann::json& schema, Words& words) {
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties" && value.is_object()) {
        for (const auto& field : value.items()) {
          words.insert(fmt::format("\"{}\": ", field.key()));
        }
      }
      if (key == "enum" || key == "const") {
        for (const auto& word :
             value.is_array() ? value : nlohmann::json{value}) {
          words.insert(word.dump());
        }
      }
      if (value.is_structured()) TakeWords(value, words);
    }
  }

  fs::path out_;
  std::vector<Beside> all_;  ///< that of the reader is the last
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: lanediff-seeds CORPUS OUT\n");
    return 2;
  }
  const fs::path corpus = argv[1];
  if (!fs::is_directory(corpus)) Fail(corpus.string() + ": is no folder");
  Writer writer(argv[2]);
  for (const fs::path& path : fuzz::CasesIn(corpus)) writer.TakeCase(path);
  for (const char* name : {"case.schema.json", "case-2.schema.json"}) {
    writer.TakeSchema(corpus / "schema" / name);
  }
  writer.Finish();
  return 0;
}
