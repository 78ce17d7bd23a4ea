// A tally as CBOR: workers hand theirs over a pipe, shards theirs in a file.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "audit/child.h"
#include "audit/given.h"
#include "audit/tally.h"
#include "differential/testcase/json.h"

namespace lanediff::audit {
namespace {

using Json = nlohmann::json;

Json CandidateJson(const Candidate& c) {
  return {c.slug, c.number,  c.side,      c.showing, c.distance,
          c.what, c.message, c.signature, c.size};
}

/// One of the values of `E`: a file may hold others.
template <class E>
E ParseWord(const Json& json) {
  if (!json.is_number_unsigned() || json >= isa::kCount<E>) {
    throw std::out_of_range(fmt::format("found {}; a {} of 0 to {} is allowed",
                                        json.is_number() ? json.dump() : "none",
                                        isa::Words<E>::kWhat,
                                        isa::kCount<E> - 1));
  }
  return static_cast<E>(json.get<std::uint64_t>());
}

std::uint64_t ParseCount(const Json& json) {
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  throw std::out_of_range("no count");
}

std::int64_t ParseInteger(const Json& json) {
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() >
          std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    throw std::out_of_range("no integer of 64 bits");
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  throw std::out_of_range("no integer");
}

/// What is printed later, as it is.
std::string ParseText(const Json& json) {
  auto text = json.get<std::string>();
  if (!IsPlainText(text)) throw std::out_of_range("a text that is none");
  return text;
}

CellTally::Counts ParseCounts(const Json& json) {
  CellTally::Counts counts{};
  if (json.size() != counts.size()) throw std::out_of_range("counts too few");
  std::ranges::transform(json, counts.begin(), ParseCount);
  return counts;
}

std::string ParseSlug(const Json& json) {
  auto slug = json.get<std::string>();
  if (slug == kGivenSource || slug == kMeasuredSource) return slug;
  if (std::ranges::find(make::SweepModules(), slug) !=
      make::SweepModules().end())
    return slug;
  throw std::out_of_range("no such instruction");
}

Candidate ParseCandidate(const Json& json) {
  return {.slug = ParseSlug(json.at(0)),
          .number = ParseCount(json.at(1)),
          .side = ParseWord<Side>(json.at(2)),
          .showing = ParseWord<Showing>(json.at(3)),
          .distance = ParseCount(json.at(4)),
          .size = ParseInteger(json.at(8)),
          .what = ParseText(json.at(5)),
          .message = ParseText(json.at(6)),
          .signature = ParseText(json.at(7))};
}

Json CandidatesJson(const std::vector<Candidate>& all) {
  Json json = Json::array();
  for (const Candidate& c : all) json.push_back(CandidateJson(c));
  return json;
}

std::vector<Candidate> ParseCandidates(const Json& json) {
  std::vector<Candidate> all;
  for (const Json& c : json) all.push_back(ParseCandidate(c));
  return all;
}

Json CellJson(const CellTally& cell) {
  Json tried = Json::array();
  for (const auto& [where, t] : cell.tried) {
    tried.push_back({t.dtype, t.form, t.positions, t.breaks, t.keeps});
  }
  Json points = Json::array();
  for (const auto& [place, p] : cell.points) {
    points.push_back({std::string(p.field), p.element_bits, p.value, p.allowed,
                      p.accepted, p.refused});
  }
  const Numeric& n = cell.numeric;
  return {cell.alone,
          cell.together,
          tried,
          points,
          {n.nodes, n.rounded, n.ties, n.saturated, n.largest_ulp},
          CandidatesJson(cell.typical),
          CandidatesJson(cell.bad),
          cell.cases,
          cell.unsupported,
          cell.beyond};
}

/// The catalogue's own text, which outlives the document.
std::string_view FieldOf(const isa::Rule& rule, const std::string& name) {
  for (const isa::Range& range : rule.ranges) {
    if (range.field == name) return range.field;
  }
  throw std::out_of_range("no field \"" + Quote(name) + "\"");
}

const isa::Rule& ParseRule(const Json& json) {
  const auto& id = json.get_ref<const std::string&>();
  const isa::Rule* const rule = isa::FindRule(id);
  if (rule == nullptr) throw std::out_of_range("no rule \"" + Quote(id) + "\"");
  return *rule;
}

std::vector<std::string_view> ParseRules(const Json& json) {
  std::vector<std::string_view> rules;
  for (const Json& one : json) rules.push_back(ParseRule(one).id.text());
  std::ranges::sort(rules);
  return rules;
}

CellTally ParseCell(const isa::Rule& rule, const Json& json) {
  CellTally cell;
  cell.alone = ParseCounts(json.at(0));
  cell.together = ParseCounts(json.at(1));
  for (const Json& t : json.at(2)) {
    const Tried tried{ParseWord<isa::DType>(t.at(0)), ParseText(t.at(1)),
                      ParseText(t.at(2)), ParseCount(t.at(3)),
                      ParseCount(t.at(4))};
    cell.tried[{tried.dtype, tried.form, tried.positions}] = tried;
  }
  for (const Json& p : json.at(3)) {
    const std::string field = p.at(0);
    const Point point{
        FieldOf(rule, field),  static_cast<int>(ParseCount(p.at(1)) % 1024),
        ParseInteger(p.at(2)), p.at(3).get<bool>(),
        ParseCount(p.at(4)),   ParseCount(p.at(5))};
    cell.points[{field, point.element_bits, point.value}] = point;
  }
  const Json& n = json.at(4);
  cell.numeric.nodes = ParseCount(n.at(0));
  cell.numeric.rounded = ParseCount(n.at(1));
  cell.numeric.ties = ParseCount(n.at(2));
  cell.numeric.saturated = ParseCount(n.at(3));
  cell.numeric.largest_ulp = ParseCount(n.at(4));
  cell.typical = ParseCandidates(json.at(5));
  cell.bad = ParseCandidates(json.at(6));
  cell.cases = ParseCount(json.at(7));
  cell.unsupported = ParseCount(json.at(8));
  cell.beyond = ParseCount(json.at(9));
  return cell;
}

}  // namespace

std::vector<std::uint8_t> Tally::Serialized() const {
  Json cells = Json::array();
  for (const auto& [key, cell] : cells_) {
    cells.push_back({std::string(key.first), key.second, CellJson(cell)});
  }
  Json doubts = Json::array();
  for (const auto& [key, doubt] : doubts_) {
    const auto& [product, made_for, suspects, conditions, mismatch] = key;
    Json cleared = Json::array();
    for (const auto& [rule, count] : doubt.cleared) {
      cleared.push_back({std::string(rule), count});
    }
    doubts.push_back({product, std::string(made_for), suspects, doubt.cases,
                      doubt.largest_ulp, CandidatesJson(doubt.best), conditions,
                      mismatch, cleared});
  }
  Json proofs = Json::array();
  for (const auto& [key, count] : proofs_) {
    const auto& [product, conditions, rules] = key;
    proofs.push_back({product, conditions, rules, count});
  }
  Json accepted = Json::array();
  for (const auto& [op, product] : accepted_) {
    accepted.push_back({std::string(op), product});
  }
  Json failed = Json::array();
  for (const auto& [slug, more] : failures) {
    failed.push_back({slug, more.crashed, more.hung});
  }
  return Json::to_cbor({cases, unsupported, steps, compared_bytes, nodes, cells,
                        malformed, problems, skipped, doubts, beyond, proofs,
                        crashed, hung, accepted, failed, given_up});
}

Tally Tally::Parse(std::span<const std::uint8_t> bytes) {
  const Json json = Json::from_cbor(bytes.begin(), bytes.end());
  Tally tally;
  tally.cases = ParseCount(json.at(0));
  tally.unsupported = ParseCount(json.at(1));
  tally.steps = ParseCount(json.at(2));
  tally.compared_bytes = ParseInteger(json.at(3));
  tally.nodes = ParseCount(json.at(4));
  for (const Json& cell : json.at(5)) {
    const isa::Rule& rule = ParseRule(cell.at(0));
    tally.cells_[{rule.id.text(), ParseWord<isa::Product>(cell.at(1))}] =
        ParseCell(rule, cell.at(2));
  }
  tally.malformed = ParseCount(json.at(6));
  for (const Json& problem : json.at(7)) {
    tally.problems.push_back(ParseText(problem));
  }
  tally.skipped = ParseCount(json.at(8));
  tally.beyond = ParseCount(json.at(10));
  for (const Json& d : json.at(9)) {
    const auto suspects = ParseRules(d.at(2));
    if (suspects.empty()) throw std::out_of_range("a doubt without suspects");
    const bool made = d.at(1) != "";
    DoubtTally& doubt = tally.doubts_[{
        ParseWord<isa::Product>(d.at(0)),
        made ? ParseRule(d.at(1)).id.text() : std::string_view(), suspects,
        ParseCount(d.at(6)), ParseWord<MismatchKind>(d.at(7))}];
    doubt = {
        ParseCount(d.at(3)), ParseCount(d.at(4)), ParseCandidates(d.at(5)), {}};
    for (const Json& one : d.at(8)) {
      doubt.cleared[ParseRule(one.at(0)).id.text()] = ParseCount(one.at(1));
    }
  }
  for (const Json& p : json.at(11)) {
    tally.proofs_[{ParseWord<isa::Product>(p.at(0)), ParseCount(p.at(1)),
                   ParseRules(p.at(2))}] = ParseCount(p.at(3));
  }
  tally.crashed = ParseCount(json.at(12));
  tally.hung = ParseCount(json.at(13));
  for (const Json& one : json.at(15)) {
    tally.failures[ParseText(one.at(0))] = {ParseCount(one.at(1)),
                                            ParseCount(one.at(2))};
  }
  tally.given_up = ParseCount(json.at(16));
  for (const Json& one : json.at(14)) {
    const auto& op = one.at(0).get_ref<const std::string&>();
    const auto* const instruction = isa::FindInstruction(op);
    if (instruction == nullptr && !op.empty()) {
      throw std::out_of_range("no instruction");
    }
    tally.accepted_.emplace(
        instruction == nullptr ? std::string_view() : instruction->op,
        ParseWord<isa::Product>(one.at(1)));
  }
  return tally;
}

}  // namespace lanediff::audit
