#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"

/// What a run of a kernel came to. Printers print it and compute nothing. The
/// names of `Fields` are those of the document of kind kernel.
namespace lanediff::kernel {

/// Groups of findings, in the order of the SUMMARY line.
enum class Group : std::uint8_t {
  kMemcheck,
  kRacecheck,
  kSynccheck,
  kInitcheck,
  kParamcheck,
  kMaskcheck,
  kValuecheck,
};

/// What --fail-on takes for a failure.
enum class FailOn : std::uint8_t { kNotChecked, kHidden, kApproximate };

/// The rule of valuecheck, which no catalogue has.
inline constexpr std::string_view kValueRule = "VALUE";

/// The settings of a run, in its first line.
struct Settings {
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  bool auto_sync = true;
  bool sync = true;
  bool saturation = true;
  bool mask_start_ones = false;  ///< else unknown
  std::optional<std::uint64_t> values;
  bool strict = false;
  bool poison_both = false;
  /// Places, "add.cpp:24:PipeBarrier", that order, set or write nothing.
  std::set<std::string> without;
  bool digest = false;             ///< `Counts::gm_digest` is requested
  std::uint64_t max_errors = 100;  ///< findings; 0: no limit
  std::optional<std::uint64_t> seconds;
  std::string out = "out/run";  ///< folder of the cases
  std::vector<Group> checks;
  std::vector<FailOn> fail_on;  ///< sorted, each once
  bool show_notes = false;
  bool show_stack = false;
  isa::Order trowprod_order = isa::Order::kDocumented;
  std::string json, junit, sarif, html, suppress, expect;  ///< files

  bool operator==(const Settings&) const = default;

  static void Fields(auto& s, auto& v) {
    LANEDIFF_REQUIRED(v, s.product, s.edition, s.auto_sync);
    v.Required(
        "sync", s.sync,
        {.description =
             "false: a compiler synchronizes, and order is not checked"});
    LANEDIFF_REQUIRED(v, s.saturation, s.mask_start_ones);
    v.Optional(
        "values", s.values,
        {.description = "executions of a site and parameter set that are "
                        "compared with the oracle; all if left out"});
    LANEDIFF_REQUIRED(v, s.strict, s.poison_both);
    v.Required("maxErrors", s.max_errors, {.description = "0: no limit"});
    v.Optional("seconds", s.seconds);
    v.Required("out", s.out, {.description = "the folder of the cases"});
    v.Optional("checks", s.checks,
               {.description = "groups that were looked at; all if left out"});
    v.Optional("failOn", s.fail_on,
               {.description = "what counts as a failure beside findings"});
    v.Optional("without", s.without,
               {.description = "calls that were run as if they did nothing"});
    LANEDIFF_OPTIONAL(v, s.digest, s.show_notes, s.show_stack);
    v.Required("trowprodOrder", s.trowprod_order);
    LANEDIFF_OPTIONAL(v, s.json, s.junit, s.sarif, s.html, s.suppress,
                      s.expect);
  }
};

struct Site {
  std::string file;
  std::int64_t line = 0;
  std::int64_t call = 1;
  bool after = false;  ///< called somewhere behind: through a pointer
  auto operator<=>(const Site&) const = default;

  static void Fields(auto& s, auto& v) {
    LANEDIFF_REQUIRED(v, s.file, s.line);
    v.OptionalIf(
        s.call != 1, "call", s.call,
        {.description = "the n-th of the names that are called on that line, "
                        "in the order of their first calls; 1 if left out"});
    v.OptionalIf(
        s.after, "after", s.after,
        {.description =
             "called through a function pointer somewhere behind that line"});
  }
};

/// Bytes of a memory that show it.
struct Bytes {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;
  std::int64_t bytes = 0;

  bool operator==(const Bytes&) const = default;

  static void Fields(auto& b, auto& v) {
    LANEDIFF_REQUIRED(v, b.memory, b.at, b.bytes);
  }
};

/// What handed out local bytes: InitBuffer, or a tensor at a fixed address.
struct Buffer {
  Site site;
  std::int64_t at = 0;  ///< its first byte in its memory

  bool operator==(const Buffer&) const = default;

  static void Fields(auto& b, auto& v) { LANEDIFF_REQUIRED(v, b.site, b.at); }
};

/// One side of a finding: the reported call, or an earlier one.
struct Access {
  Site site;
  std::string op;
  std::optional<isa::Pipe> pipe = {};
  std::string operand = {};  ///< empty: no bytes are concerned
  std::optional<std::int64_t> iteration = {};  ///< from 0
  /// Both included.
  std::optional<std::pair<std::int64_t, std::int64_t>> lanes = {};

  bool operator==(const Access&) const = default;

  static void Fields(auto& a, auto& v) {
    LANEDIFF_REQUIRED(v, a.site, a.op);
    LANEDIFF_OPTIONAL(v, a.pipe, a.operand, a.iteration);
    v.Optional("lanes", a.lanes, {.description = "first and last"});
  }
};

/// The finding or note that another finding follows from.
struct Cause {
  std::string rule;
  Site site;

  auto operator<=>(const Cause&) const = default;

  static void Fields(auto& c, auto& v) { LANEDIFF_REQUIRED(v, c.rule, c.site); }
};

/// A rule broken at one site against one other site, however often.
struct Finding {
  std::string rule;
  Group group = Group::kMemcheck;
  Access later;                   ///< where it is reported
  std::optional<Access> earlier;  ///< the other site
  /// "Add reads UB [0,16384) on V, unordered with DataCopy add.cpp:21, which
  /// writes it on MTE2": all but site, group and rule.
  std::string message;
  std::optional<Bytes> bytes;
  std::optional<Buffer> buffer;  ///< of `bytes`, where they are local
  std::int64_t launch = 0;       ///< the first one's, from 0
  std::int64_t block = 0;        ///< likewise
  std::int64_t execution = 1;    ///< of the site in that block, from 1
  std::uint64_t times = 1;       ///< the first one included
  /// "SetFlag/WaitFlag MTE2_V, or EnQue/DeQue, between add.cpp:21 and :24";
  /// empty where there is no such call.
  std::string missing;
  std::string repair;
  std::optional<Cause> follows_from;  ///< nothing: a root cause
  std::uint64_t unknown_bytes = 0;
  std::string unknown;
  std::string case_path;  ///< empty: none, and `no_case` has the reason
  std::string no_case;
  std::vector<std::string> stack;  ///< innermost first; with --stack
  std::string suppressed;          ///< the reason, where a suppression met it

  bool operator==(const Finding&) const = default;

  static void Fields(auto& f, auto& v) {
    LANEDIFF_REQUIRED(v, f.rule, f.group, f.message, f.later);
    LANEDIFF_OPTIONAL(v, f.earlier, f.bytes);
    v.Optional(
        "buffer", f.buffer,
        {.description = "what handed out the bytes, where they are local"});
    LANEDIFF_REQUIRED(v, f.launch, f.block, f.execution);
    v.Required("times", f.times, {.low = 1});
    v.Optional("missing", f.missing,
               {.description = "the call that would order the two"});
    v.Optional(
        "repair", f.repair,
        {.description =
             "a change of the case that was tried and takes the finding away"});
    v.Optional(
        "followsFrom", f.follows_from,
        {.description =
             "the finding or note that it comes of; a root cause if left out"});
    v.Optional("unknownBytes", f.unknown_bytes,
               {.description = "bytes that leave the core and depend on the "
                               "call, which was skipped or ended its block"});
    v.Optional("unknown", f.unknown,
               {.description = "where the first ones are"});
    v.Optional("case", f.case_path);
    v.Optional("noCase", f.no_case, {.description = "why there is none"});
    v.Optional("stack", f.stack, {.description = "innermost first"});
    v.Optional("suppressed", f.suppressed, {.description = "the reason"});
  }
};

/// Reported, and no reason to fail.
struct Note {
  std::string rule;
  Site site;
  std::string message;
  std::uint64_t times = 1;

  bool operator==(const Note&) const = default;

  static void Fields(auto& n, auto& v) {
    LANEDIFF_REQUIRED(v, n.rule, n.site, n.message);
    v.Required("times", n.times, {.low = 1});
  }
};

/// A call that is known and not executed.
struct Refusal {
  std::string name;
  std::string why;
  Site site;
  std::int64_t block = 0;

  bool operator==(const Refusal&) const = default;

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.name, r.why, r.site, r.block);
  }
};

/// A finding that --auto-sync off would add.
struct Hidden {
  std::string rule;
  Site later;
  std::string later_op;
  Site earlier;
  std::string earlier_op;

  bool operator==(const Hidden&) const = default;

  static void Fields(auto& h, auto& v) {
    LANEDIFF_REQUIRED(v, h.rule, h.later, h.later_op, h.earlier, h.earlier_op);
  }
};

/// A line of the table by site.
struct SiteRow {
  Site site;
  std::string op;
  bool audited = false;  ///< else carried, or without bytes
  bool approximate = false;
  bool first_writer = false;  ///< it wrote local bytes that nothing had written
  bool conflicts_across = false;  ///< Across::Conflicts, with --without
  std::uint64_t executions = 0;
  std::uint64_t rejected = 0;
  std::uint64_t values = 0;          ///< compared with the oracle
  std::uint64_t values_skipped = 0;  ///< by --values

  bool operator==(const SiteRow&) const = default;

  static void Fields(auto& r, auto& v) {
    LANEDIFF_REQUIRED(v, r.site, r.op, r.audited, r.approximate, r.executions,
                      r.rejected);
    v.Optional(
        "firstWriter", r.first_writer,
        {.description = "it wrote local bytes that nothing had written"});
    v.Optional(
        "conflictsAcross", r.conflicts_across,
        {.description = "with --without: it conflicts with what lies before "
                        "the place, if nothing else keeps them apart"});
    v.Required("values", r.values,
               {.description = "executions compared with the oracle"});
    v.Required("valuesSkipped", r.values_skipped);
  }
};

/// The keys of CHECKED and NOT-CHECKED, in their order.
struct Counts {
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t audited = 0;
  std::uint64_t legality = 0;
  std::uint64_t values = 0;
  std::uint64_t values_within = 0;
  std::uint64_t carried = 0;
  std::uint64_t bytes_followed = 0;

  std::uint64_t refused = 0;
  /// audited = values + values_within + values_open + values_skipped + rejected
  /// + without_value.
  std::uint64_t values_open = 0;
  std::uint64_t most_ulp = 0;  ///< of those within, and open
  std::uint64_t values_skipped = 0;
  std::uint64_t rejected = 0;
  std::uint64_t without_value = 0;
  /// Bytes that leave the core and depend on calls that were not made.
  std::uint64_t unknown_bytes = 0;
  std::uint64_t approximate = 0;
  std::uint64_t gm_extent = 0;
  std::uint64_t raw_pointers = 0;
  std::uint64_t sync_auto = 0;
  std::uint64_t gm_cache = 0;
  std::uint64_t hidden_by_auto_sync = 0;

  /// In no line: of what GM held at the end of each launch, if requested.
  std::uint64_t gm_digest = 0;

  bool operator==(const Counts&) const = default;

  static void Fields(auto& c, auto& v) {
    LANEDIFF_REQUIRED(v, c.launches, c.blocks, c.audited, c.legality, c.values,
                      c.carried, c.bytes_followed, c.refused, c.values_skipped);
    v.Optional("valuesWithin", c.values_within,
               {.description = "audited calls with results within what --ulp "
                               "declares"});
    v.Optional("valuesOpen", c.values_open,
               {.description = "audited calls with results of which no "
                               "document states a precision"});
    v.Optional("largestUlp", c.most_ulp,
               {.description = "the largest distance of such results from the "
                               "correctly rounded value"});
    v.Optional("rejected", c.rejected,
               {.description = "audited calls that broke a rule"});
    v.Optional("withoutValue", c.without_value,
               {.description =
                    "audited calls of whose result nothing was compared: they "
                    "accumulate in global memory, or have no element"});
    v.Optional("unknownBytes", c.unknown_bytes,
               {.description = "bytes that leave the core and depend on calls "
                               "that were skipped"});
    LANEDIFF_REQUIRED(v, c.approximate, c.gm_extent, c.raw_pointers,
                      c.sync_auto, c.gm_cache, c.hidden_by_auto_sync);
    v.Optional("gmDigest", c.gm_digest,
               {.description = "of what GM held, with --digest"});
  }
};

/// How the program ended.
struct End {
  enum class How : std::uint8_t {
    kEnded,       ///< main returned or called exit outside a kernel: `code`
    kCrashed,     ///< by signal `code`, an exception, exit in a kernel
    kTimedOut,    ///< --seconds
    kTooMany,     ///< --max-errors
    kNotStarted,  ///< it doesn't compile or can't be run
  };
  How how = How::kEnded;
  std::int64_t code = 0;
  /// "killed by SIGSEGV in block 3 of launch 0, after add.cpp:24"; empty where
  /// all went well.
  std::string text;

  bool operator==(const End&) const = default;

  static void Fields(auto& e, auto& v) {
    LANEDIFF_REQUIRED(v, e.how, e.code);
    v.Optional("text", e.text);
  }
};

struct RunRecord {
  std::string program;  ///< what was run, as the user named it
  Settings settings;
  std::vector<Finding> findings;  ///< in the order of the first occurrence
  std::vector<Note> notes;
  std::vector<Refusal> refusals;
  std::vector<Hidden> hidden;  ///< each rule and pair of sites once
  std::vector<SiteRow> sites;
  Counts counts;
  End end;
  /// What a suppression file got wrong: entries that expired or met nothing.
  std::vector<std::string> suppression_faults;
  /// With --expect: what was expected and not found, or found and not expected.
  std::vector<std::string> expectation_faults;
  /// Reports that were requested and can't be written, and why.
  std::vector<std::string> unwritten;
};

}  // namespace lanediff::kernel

template <>
struct lanediff::isa::Words<lanediff::kernel::Group> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "memcheck",   "racecheck", "synccheck", "initcheck",
      "paramcheck", "maskcheck", "valuecheck"};
};

template <>
struct lanediff::isa::Words<lanediff::kernel::FailOn> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "not-checked", "hidden", "approximate"};
};

template <>
struct lanediff::isa::Words<lanediff::kernel::End::How> {
  static constexpr std::array<std::string_view, 5> kSpelling = {
      "ended", "crashed", "timed-out", "too-many", "not-started"};
};
