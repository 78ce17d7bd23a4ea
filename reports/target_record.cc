#include "reports/target_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/character.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

/// Of a name or a version that is shown.
constexpr std::size_t kMostNameBytes = 200;
/// Of a file of `characterise`, which has the cases.
constexpr std::size_t kMostCharacterBytes = std::size_t{256} << 20;

template <class E>
std::string WordsText(const std::vector<E>& words) {
  std::vector<std::string_view> names;
  for (E word : words) names.push_back(isa::Name(word));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string LegalityText(diff::Capabilities::Legality legality) {
  switch (legality) {
    case diff::Capabilities::Legality::kRules:
      return "rejects illegal calls and names the broken rules";
    case diff::Capabilities::Legality::kYes:
      return "rejects illegal calls and names no rule";
    case diff::Capabilities::Legality::kNone:
      break;
  }
  return "executes whatever it is given: a broken rule is tolerated";
}

std::vector<CapabilityRecord> CapabilitiesOf(const diff::Capabilities& can) {
  std::vector<CapabilityRecord> all;
  const auto add = [&](std::string field, std::string value) {
    all.push_back({std::move(field), std::move(value)});
  };
  add("instructions",
      !can.instructions ? "all"
      : can.instructions->empty()
          ? "none"
          : Shortened(fmt::format("{}", fmt::join(*can.instructions, ", ")),
                      1000));
  add("products", can.products ? WordsText(*can.products) : "all");
  add("dtypes", can.dtypes ? WordsText(*can.dtypes) : "all");
  if (can.orders) add("orders", WordsText(*can.orders));
  if (can.forms) {
    add("forms", can.forms->empty()
                     ? "none"
                     : fmt::format("{}", fmt::join(*can.forms, ", ")));
  }
  if (can.saturation) {
    std::vector<std::string_view> modes;
    for (bool on : *can.saturation) modes.push_back(on ? "on" : "off");
    add("saturation",
        modes.empty() ? "none" : fmt::format("{}", fmt::join(modes, ", ")));
  }
  add("legality", LegalityText(can.legality));
  add("notes", can.notes ? "reported" : "not reported, and not compared");
  return all;
}

}  // namespace

std::string Shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  std::size_t end = most_bytes;
  const auto inside = [&](char byte) { return (byte & 0xc0) == 0x80; };
  while (end > 0 && inside(text[end])) --end;
  return std::string(text.substr(0, end)) + "…";
}

TargetRecord DescribeTarget(const diff::Target& target) {
  const diff::TargetInfo info = target.info();
  const diff::Capabilities can = target.capabilities();
  TargetRecord record;
  record.name = Shortened(info.name, kMostNameBytes);
  record.version = Shortened(info.version, kMostNameBytes);
  record.capabilities = CapabilitiesOf(can);
  record.legal_only = can.legal_only;
  record.names_no_rules = can.legality != diff::Capabilities::Legality::kRules;
  return record;
}

void SetCharacter(const character::Character& character, TargetRecord& record) {
  record.character = TraitsOf(character);
}

std::optional<character::Character> CharacterIn(const std::string& json) {
  auto character = ReadDocument(json, [](const Cursor& root) {
    return ReadRecord<character::Character>(root);
  });
  if (!character) return std::nullopt;
  return *std::move(character);
}

std::expected<character::Character, std::string> ReadCharacter(
    const std::string& file, std::string_view target) {
  const auto fail = [&](const std::string& what) {
    return std::unexpected(fmt::format("--character: {}: {}", file, what));
  };
  const auto text = ReadFile(file, kMostCharacterBytes);
  if (!text) return fail(text.error());
  if (text->size() > kMostCharacterBytes) {
    return fail(fmt::format("more than {} bytes; at most these are allowed",
                            kMostCharacterBytes));
  }
  auto character = ReadDocument(*text, [](const Cursor& root) {
    return ReadRecord<character::Character>(root);
  });
  if (!character) return fail(LineOf(character.error()));
  if (character->target != target) {
    return fail(
        fmt::format("/target: found \"{}\"; \"{}\" is allowed, which "
                    "is under test",
                    InOneLine(character->target), target));
  }
  return *std::move(character);
}

std::string TargetLine(const TargetRecord& r, std::string_view target) {
  if (r.name.empty() && r.version.empty()) return "";
  return fmt::format("target: \"{}\" {} ({})\n", InOneLine(r.name),
                     InOneLine(r.version), InOneLine(target));
}

}  // namespace lanediff::reports
