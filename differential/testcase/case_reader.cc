#include "differential/testcase/case_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/record_json.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using isa::Memory;

// ---- Memory -----------------------------------------------------------------

MemoryImage ReadMemory(const Cursor& place, isa::Product product,
                       Memory memory) {
  ObjectCursor object(place);
  object.Allow({"fill", "size", "regions", "initialised"});
  MemoryImage image;
  if (const auto fill = object.Optional("fill")) {
    const auto bytes = ReadHex(*fill);
    if (bytes.size() != 1) fill->Fail("one byte in two hex digits is allowed");
    image.fill = bytes[0];
  }
  const std::int64_t capacity = isa::CapacityBytes(product, memory);
  const std::int64_t largest =
      memory == Memory::kGm ? kMaxMemoryBytes : capacity;
  image.size = capacity;
  if (memory == Memory::kGm) {
    image.size = object.Required("size").IntegerIn(0, largest);
  } else if (const auto size = object.Optional("size")) {
    image.size = size->IntegerIn(0, largest);
  }
  if (const auto regions = object.Optional("regions")) {
    image.regions = ReadRegions(*regions, image.size);
  }
  object.Read("initialised", image.initialised);
  return image;
}

// ---- Lint facts -------------------------------------------------------------

LintFacts ReadLintFacts(ObjectCursor& object) {
  LintFacts facts;
  if (const auto sync = object.Optional("sync")) {
    ObjectCursor fields(*sync);
    facts.sync = {.automatic = fields.Required("auto").Boolean()};
    fields.Finish();
  }
  if (const auto start = object.Optional("start")) {
    ObjectCursor fields(*start);
    facts.start_unknown =
        fields.Required("mask").OneOf({"ones", "unknown"},
                                      "ones or unknown is allowed") == 1;
    fields.Finish();
  }
  if (const auto init = object.Optional("init")) {
    facts.propagate = init->OneOf({"first-read", "propagate"},
                                  "first-read or propagate is allowed") == 1;
  }
  return facts;
}

// ---- Expectation and the rest -----------------------------------------------

/// What must be in memory at the end; nothing where an executed case leaves it
/// open. A rejected one does so by saying nothing: each case has one spelling.
std::optional<RegionsByMemory> ReadExpectedMemory(const Cursor& place,
                                                  const Case& c,
                                                  bool rejected) {
  if (!place.IsString()) return ReadChangedMemory(place, c);
  if (rejected) {
    place.Fail(
        fmt::format("found \"{}\"; regions by memory are allowed, and a "
                    "rejected case leaves memory open by leaving this out",
                    Quote(place.String())));
  }
  if (place.String() != kAnyMemory) {
    place.Fail(
        fmt::format("found \"{}\"; regions by memory or \"{}\" is allowed",
                    Quote(place.String()), kAnyMemory));
  }
  return std::nullopt;
}

Expectation ReadExpectation(const Cursor& place, bool of_kernel,
                            const Case& c) {
  ObjectCursor object(place);
  object.Allow({"outcome", "step", "rules", "findings", "notes", "memory"});
  Expectation expect;
  expect.rejected =
      object.Required("outcome").OneOf({"executed", "rejected"},
                                       "executed or rejected is allowed") == 1;
  if (expect.rejected) {
    const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
    expect.step =
        static_cast<std::size_t>(object.Required("step").IntegerIn(0, last));
    expect.rules = ReadRules(object.Required("rules"));
  } else {
    expect.memory.emplace();
  }
  if (of_kernel) {
    const auto findings = object.Optional("findings");
    if (findings) expect.findings = ReadRules(*findings);
  }
  if (const auto notes = object.Optional("notes")) {
    expect.notes = ReadRules(*notes);
  }
  if (const auto memory = object.Optional("memory")) {
    expect.memory = ReadExpectedMemory(*memory, c, expect.rejected);
  }
  object.Finish();
  return expect;
}

std::string ReadId(const Cursor& place) {
  const std::string& id = place.String();
  constexpr std::string_view kAlphabet =
      "abcdefghijklmnopqrstuvwxyz0123456789._/-";
  if (id.empty() || id.find_first_not_of(kAlphabet) != std::string::npos) {
    place.Fail(
        fmt::format("found \"{}\"; one or more of a-z 0-9 . _ / - are "
                    "allowed",
                    Quote(id)));
  }
  return id;
}

void ReadMemories(const Cursor& place, Case& c) {
  place.ForEachMember([&](std::string_view name, const Cursor& image) {
    const auto memory = isa::Parse<Memory>(name);
    if (!memory) image.FailWord<Memory>(name);
    c.memory[*memory] = ReadMemory(image, c.product, *memory);
  });
}

Case ReadCaseAt(const Cursor& root) {
  ObjectCursor object(root);
  object.Allow({"format", "id", "note", "product", "edition", "memory", "sync",
                "start", "init", "program", "expect", "origin", "requirement"});
  const bool of_kernel =
      object.Required("format").OneOf(
          {kCaseFormat, kKernelCaseFormat},
          "lanediff-case/1 or lanediff-case/2 is allowed") == 1;
  Case c;
  c.id = ReadId(object.Required("id"));
  object.Read("note", c.note);
  c.product = object.Required("product").Word<isa::Product>();
  object.Read("edition", c.edition);
  const Cursor memory = object.Required("memory");
  ReadMemories(memory, c);
  c.lint = ReadLintFacts(object);
  const Cursor program = object.Required("program");
  program.ForEach([&](const Cursor& step) { ReadStep(step, of_kernel, c); });
  if (std::ranges::none_of(c.sources, [](const auto& s) { return !!s; })) {
    c.sources.clear();
  }
  if (c.program.empty()) program.Fail("empty; at least one step is allowed");
  if (MemoriesOf(c)[Memory::kGm] && !c.memory[Memory::kGm]) {
    memory.Fail(
        "GM is missing; the program uses it and its size must be given");
  }
  if (const auto expect = object.Optional("expect")) {
    c.expect = ReadExpectation(*expect, of_kernel, c);
  }
  if (const auto origin = object.Optional("origin")) {
    c.origin = ReadRecord<Origin>(*origin);
  }
  if (const auto requirement = object.Optional("requirement")) {
    c.requirement = ReadRules(*requirement);
  }
  return c;
}

/// Where the string that begins at `at` ends: behind its second quote.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

std::expected<Case, CaseError> ReadCase(std::string_view text) {
  return ReadDocument(text, ReadCaseAt, kMaxCaseFileBytes);
}

std::expected<std::string, std::string> ReadFile(const std::string& path,
                                                 std::size_t most) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) {
    return std::unexpected(
        errno == ENOENT ? std::string("not found")
                        : fmt::format("can't be read: {}", strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) return std::unexpected("is no regular file");
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "rb"),
                                                   fclose);
  if (!file) {
    return std::unexpected(fmt::format("can't be read: {}", strerror(errno)));
  }
  // One byte more than allowed, so that a file that is too large shows as such.
  std::string text(
      std::min<std::size_t>(static_cast<std::size_t>(info.st_size), most + 1),
      '\0');
  text.resize(fread(text.data(), 1, text.size(), file.get()));
  if (ferror(file.get()) != 0) return std::unexpected("can't be read");
  return text;
}

std::expected<Case, std::string> ReadCaseFile(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(text.error());
  auto c = ReadCase(*text);
  if (c) return std::move(*c);
  return std::unexpected(LineOf(c.error()));
}

std::vector<std::size_t> StepLines(std::string_view text) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool in_program = false;
  std::string_view last;  // the last string of the document's own members
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = EndOfString(text, at);
      if (depth == 1) last = text.substr(at, end - at);
      at = end;
      continue;
    }
    if (c == '\n') ++line;
    if (c == '{' || c == '[') {
      if (c == '{' && depth == 2 && in_program) lines.push_back(line);
      ++depth;
      if (c == '[' && depth == 2) in_program = last == "\"program\"";
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth < 2) in_program = false;
    }
    ++at;
  }
  return lines;
}

}  // namespace lanediff
