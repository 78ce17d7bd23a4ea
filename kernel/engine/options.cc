#include "kernel/engine/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <utility>

#include "differential/compare/open_elements.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/nearest.h"

namespace lanediff::kernel {
namespace {

using Taken = std::expected<void, std::string>;
using Words = std::vector<std::string>;

template <class E>
Words WordsOfEnum() {
  const auto& words = isa::Words<E>::kSpelling;
  return {words.begin(), words.end()};
}

Words NoWords() { return {}; }
Words OnOff() { return {"on", "off"}; }
Words OnOffBoth() { return {"on", "off", "both"}; }

Taken Not(const std::string& allowed) { return std::unexpected(allowed); }

/// One of two words, the first for true.
Taken OneOf(std::string_view value, std::string_view yes, std::string_view no,
            bool& into) {
  if (value != yes && value != no) return Not(fmt::format("{} or {}", yes, no));
  into = value == yes;
  return {};
}

Taken Number(std::string_view value, std::uint64_t least, std::uint64_t most,
             std::uint64_t& into) {
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), into);
  if (error == std::errc{} && end == value.data() + value.size() &&
      into >= least && into <= most) {
    return {};
  }
  return Not(fmt::format("a number from {} to {}", least, most));
}

Taken Path(std::string_view value, std::string& into) {
  if (value.empty()) return Not("a path");
  into = value;
  return {};
}

template <std::string Settings::* kFile>
Taken File(RunOptions& o, std::string_view value) {
  return Path(value, o.settings.*kFile);
}

template <bool Settings::* kFlag>
Taken Flag(RunOptions& o, std::string_view) {
  o.settings.*kFlag = true;
  return {};
}

template <class E>
Taken Word(std::string_view value, E& into) {
  const auto word = isa::Parse<E>(value);
  if (!word) return Not(fmt::format("{}", fmt::join(WordsOfEnum<E>(), ", ")));
  into = *word;
  return {};
}

constexpr std::uint64_t kAny = std::numeric_limits<std::int64_t>::max();

/// Calls that --without takes away with another one.
constexpr std::pair<std::string_view, std::string_view> kTakenWith[] = {
    {"WaitFlag", "SetFlag"}, {"DeQue", "EnQue"}, {"AllocTensor", "FreeTensor"}};

/// "add.cpp:24:PipeBarrier".
bool IsPlace(std::string_view text) {
  const std::size_t name = text.rfind(':');
  if (name == text.npos || name + 1 == text.size()) return false;
  const std::string_view before = text.substr(0, name);
  const std::size_t line = before.rfind(':');
  std::uint64_t number = 0;
  return line != before.npos && line > 0 &&
         Number(before.substr(line + 1), 1, kAny, number);
}

constexpr std::uint64_t kMostSeconds = 1'000'000;

/// Adds words apart by commas to `into`, which is sorted and has each once.
template <class E>
Taken AddWords(std::string_view value, std::vector<E>& into) {
  for (;;) {
    const std::size_t comma = value.find(',');
    E word{};
    const auto taken = Word(value.substr(0, comma), word);
    if (!taken) return Not("by commas: " + taken.error());
    into.push_back(word);
    if (comma == std::string_view::npos) break;
    value.remove_prefix(comma + 1);
  }
  std::ranges::sort(into);
  const auto twice = std::ranges::unique(into);
  into.erase(twice.begin(), twice.end());
  return {};
}

Taken Checks(RunOptions& o, std::string_view value) {
  o.settings.checks.clear();
  return AddWords(value, o.settings.checks);
}

/// Both: what `off` would add is listed beside what `on` finds, and fails.
Taken AutoSync(RunOptions& o, std::string_view value) {
  if (value == "both") {
    o.settings.auto_sync = true;
    return AddWords("hidden", o.settings.fail_on);
  }
  if (OneOf(value, "on", "off", o.settings.auto_sync)) return {};
  return Not("on, off or both");
}

/// A folder; what names a page, as older versions did, is that page.
Taken Page(RunOptions& o, std::string_view value) {
  const auto taken = Path(value, o.settings.html);
  if (taken && !value.ends_with(".html")) o.settings.html += "/index.html";
  return taken;
}

Taken Values(RunOptions& o, std::string_view value) {
  if (value == "all") {
    o.settings.values.reset();
    return {};
  }
  std::uint64_t n = 0;
  if (!Number(value, 0, kAny, n)) return Not("all, or how many");
  o.settings.values = n;
  return {};
}

const OptionRow kRows[] = {
    {"--product", "PRODUCT",
     "among the products that have the same macros, that of the run",
     WordsOfEnum<isa::Product>,
     [](RunOptions& o, std::string_view v) {
       return Word(v, o.product.emplace());
     }},
    {"--edition", "EDITION",
     "of the documents: 2024, or the newest, 2026, which is the default",
     WordsOfEnum<isa::Edition>,
     [](RunOptions& o, std::string_view v) {
       return Word(v, o.settings.edition);
     }},
    {"--auto-sync", "on|off|both",
     "whether the compiler's own synchronization is there; default on; both: "
     "status 1 for findings of either",
     OnOffBoth, AutoSync},
    {"--saturation", "on|off", "the mode at the start; default on", OnOff,
     [](RunOptions& o, std::string_view v) {
       return OneOf(v, "on", "off", o.settings.saturation);
     }},
    {"--start-mask", "unknown|ones",
     "the mask register at the start of a block; default unknown",
     [] { return Words{"unknown", "ones"}; },
     [](RunOptions& o, std::string_view v) {
       return OneOf(v, "ones", "unknown", o.settings.mask_start_ones);
     },
     false, "--mask-start"},
    {"--trowprod-order", "ORDER",
     "in which order TROWPROD multiplies; default documented",
     WordsOfEnum<isa::Order>,
     [](RunOptions& o, std::string_view v) {
       return Word(v, o.settings.trowprod_order);
     }},
    {"--check", "GROUP,...", "look at these groups of findings alone", NoWords,
     Checks},
    {"--values", "all|N",
     "compare every execution with the oracle, or the first N of each place "
     "and "
     "set of parameters; default all",
     NoWords, Values},
    {"--ulp", "NAME=N",
     "results of NAME are right within N ULP of the correctly rounded value; "
     "may be repeated",
     NoWords,
     [](RunOptions&, std::string_view v) {
       return diff::AddUlpBound(v, diff::TheUlpBounds());
     },
     true},
    {"--max-errors", "N",
     "end the run at so many findings; 0: never; default 100", NoWords,
     [](RunOptions& o, std::string_view v) {
       return Number(v, 0, kAny, o.settings.max_errors);
     }},
    {"--fail-on", "CONDITION,...",
     "status 1 also where something is not-checked (any count of NOT-CHECKED), "
     "hidden (by --auto-sync on) or approximate; may be repeated",
     NoWords,
     [](RunOptions& o, std::string_view v) {
       return AddWords(v, o.settings.fail_on);
     },
     true},
    {"--known-issues", "FILE", "findings that are accepted, with reasons",
     NoWords, File<&Settings::suppress>, false, "--suppress"},
    {"--strict", nullptr,
     "KRN-DECLARED and KRN-POSITION are findings, no notes", NoWords,
     Flag<&Settings::strict>},
    {"--poison", "both",
     "run each launch twice, with other bytes in what is uninitialised; global "
     "memory that then differs is a finding",
     [] { return Words{"both"}; },
     [](RunOptions& o, std::string_view v) {
       if (v != "both") return Not("both");
       o.settings.poison_both = true;
       return Taken{};
     }},
    {"--without", "FILE:LINE:NAME",
     "as if the calls of NAME there ordered, set or wrote nothing", NoWords,
     [](RunOptions& o, std::string_view v) {
       if (!IsPlace(v)) return Not("FILE:LINE:NAME, as add.cpp:24:PipeBarrier");
       for (const auto& [taken, with] : kTakenWith) {
         if (v.ends_with(fmt::format(":{}", taken))) {
           return Not(fmt::format("the place of the {}, with which {} goes",
                                  with, taken));
         }
       }
       o.settings.without.emplace(v);
       return Taken{};
     },
     true},
    {"--digest", nullptr,
     "put into the JSON a number of what global memory held", NoWords,
     Flag<&Settings::digest>},
    {"--seconds", "N", "end the program after so long", NoWords,
     [](RunOptions& o, std::string_view v) {
       return Number(v, 1, kMostSeconds, o.settings.seconds.emplace());
     }},
    {"--out", "DIR", "where the cases of findings go; default out/run", NoWords,
     File<&Settings::out>},
    {"--notes", nullptr, "list the notes", NoWords,
     Flag<&Settings::show_notes>},
    {"--stack", nullptr,
     "print the call stack of each finding; compile with -g", NoWords,
     Flag<&Settings::show_stack>},
    {"--json", "FILE", "write the run as lanediff-report/2, kind kernel",
     NoWords, File<&Settings::json>},
    {"--junit", "FILE", "write it as JUnit XML", NoWords,
     File<&Settings::junit>},
    {"--sarif", "FILE", "write it as SARIF 2.1.0", NoWords,
     File<&Settings::sarif>},
    {"--html", "DIR", "write it as a page, DIR/index.html", NoWords, Page},
    {"--expect", "FILE", "status 0 if these findings are made, and no others",
     NoWords, File<&Settings::expect>},
};

const OptionRow* RowOf(std::string_view name, RunOptions& options) {
  for (const OptionRow& row : kRows) {
    if (name == row.name) return &row;
    if (row.old == nullptr || name != row.old) continue;
    options.renamed.push_back(
        fmt::format("{} is now {}; the older spelling is read for one version",
                    row.old, row.name));
    return &row;
  }
  return nullptr;
}

std::string Unknown(std::string_view word) {
  std::vector<std::string_view> names;
  for (const OptionRow& row : kRows) names.emplace_back(row.name);
  return fmt::format(
      "no option \"{}\"{}; `lanediff run --help` lists the options", word,
      DidYouMean(word, names));
}

}  // namespace

std::span<const OptionRow> OptionRows() { return kRows; }

Taken TakeOption(const OptionRow& row, std::string_view value,
                 RunOptions& options) {
  const Taken taken = row.take(options, value);
  if (taken) return {};
  return std::unexpected(
      fmt::format("{}: \"{}\"; allowed: {}", row.name, value, taken.error()));
}

std::expected<RunOptions, std::string> ReadOptions(
    const std::vector<std::string>& words) {
  RunOptions options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    const OptionRow* const row = RowOf(word.substr(0, equals), options);
    if (row == nullptr) return std::unexpected(Unknown(word));
    std::string_view value;
    if (row->value == nullptr) {
      if (equals != word.npos) {
        return std::unexpected(fmt::format("{} takes no value", row->name));
      }
    } else if (equals != word.npos) {
      value = word.substr(equals + 1);
    } else if (++i < words.size()) {
      value = words[i];
    } else {
      return std::unexpected(fmt::format("{} needs {}", row->name, row->value));
    }
    if (const auto taken = TakeOption(*row, value, options); !taken) {
      return std::unexpected(taken.error());
    }
  }
  return options;
}

std::expected<RunOptions, std::string> ReadOptionsText(std::string_view text) {
  const auto words = diff::SplitWords(text);
  if (words) return ReadOptions(*words);
  return std::unexpected(fmt::format("{} in: {}", words.error(), text));
}

std::string Quoted(std::string_view word) {
  std::string quoted = "'";
  for (const char letter : word) {
    if (letter == '\'') {
      quoted += "'\\''";
    } else {
      quoted += letter;
    }
  }
  return quoted + "'";
}

std::expected<isa::Product, std::string> ProductOfRun(
    isa::Product compiled, std::optional<isa::Product> requested) {
  using isa::Product;
  if (!requested || *requested == compiled) return compiled;
  const auto same = [&](Product a, Product b) {
    return (compiled == a && *requested == b) ||
           (compiled == b && *requested == a);
  };
  if (same(Product::kAtlasA2, Product::kAtlasA3) ||
      same(Product::kAtlasInferenceAicore,
           Product::kAtlasInferenceVectorcore)) {
    return *requested;
  }
  return std::unexpected(fmt::format(
      "--product: {}, and the program was compiled for {}, whose macros are "
      "others; compile it for {}",
      isa::Name(*requested), isa::Name(compiled), isa::Name(*requested)));
}

}  // namespace lanediff::kernel
