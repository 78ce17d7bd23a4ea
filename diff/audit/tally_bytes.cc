// A tally as CBOR: workers hand theirs over a pipe, shards theirs in a file.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "diff/audit/tally.h"

namespace lanediff::diff::audit {
namespace {

using Json = nlohmann::json;

Json CandidateJson(const Candidate& c) {
  return {c.room, c.number,  c.side,      c.showing, c.distance,
          c.what, c.message, c.signature, c.size};
}

/// One of the values of `E`: a file may hold others.
template <class E>
E ParseWord(const Json& json) {
  const auto value = json.get<std::uint64_t>();
  if (value >= isa::kCount<E>) {
    throw std::out_of_range(fmt::format("found {}; a {} of 0 to {} is allowed",
                                        value, isa::Words<E>::kWhat,
                                        isa::kCount<E> - 1));
  }
  return static_cast<E>(value);
}

Candidate ParseCandidate(const Json& json) {
  return {.room = json.at(0),
          .number = json.at(1),
          .side = ParseWord<Side>(json.at(2)),
          .showing = ParseWord<Showing>(json.at(3)),
          .distance = json.at(4),
          .size = json.at(8),
          .what = json.at(5),
          .message = json.at(6),
          .signature = json.at(7)};
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
          CandidatesJson(cell.bad)};
}

/// The catalogue's own text, which outlives the document.
std::string_view FieldOf(const isa::Rule& rule, const std::string& name) {
  for (const isa::Range& range : rule.ranges) {
    if (range.field == name) return range.field;
  }
  return {};
}

CellTally ParseCell(const isa::Rule& rule, const Json& json) {
  CellTally cell;
  cell.alone = json.at(0);
  cell.together = json.at(1);
  for (const Json& t : json.at(2)) {
    const Tried tried{ParseWord<isa::DType>(t.at(0)), t.at(1), t.at(2), t.at(3),
                      t.at(4)};
    cell.tried[{tried.dtype, tried.form, tried.positions}] = tried;
  }
  for (const Json& p : json.at(3)) {
    const std::string field = p.at(0);
    const Point point{
        FieldOf(rule, field), p.at(1), p.at(2), p.at(3), p.at(4), p.at(5)};
    cell.points[{field, point.element_bits, point.value}] = point;
  }
  const Json& n = json.at(4);
  cell.numeric.nodes = n.at(0);
  cell.numeric.rounded = n.at(1);
  cell.numeric.ties = n.at(2);
  cell.numeric.saturated = n.at(3);
  cell.numeric.largest_ulp = n.at(4);
  cell.typical = ParseCandidates(json.at(5));
  cell.bad = ParseCandidates(json.at(6));
  return cell;
}

}  // namespace

std::vector<std::uint8_t> Tally::Serialized() const {
  Json cells = Json::array();
  for (const auto& [key, cell] : cells_) {
    cells.push_back({std::string(key.first), key.second, CellJson(cell)});
  }
  return Json::to_cbor({cases, unsupported, steps, compared_bytes, nodes, cells,
                        malformed, problems});
}

Tally Tally::Parse(std::span<const std::uint8_t> bytes) {
  const Json json = Json::from_cbor(bytes.begin(), bytes.end());
  Tally tally;
  tally.cases = json.at(0);
  tally.unsupported = json.at(1);
  tally.steps = json.at(2);
  tally.compared_bytes = json.at(3);
  tally.nodes = json.at(4);
  for (const Json& cell : json.at(5)) {
    const auto& id = cell.at(0).get_ref<const std::string&>();
    const isa::Rule* const rule = isa::FindRule(id);
    if (rule == nullptr) throw std::out_of_range("no rule \"" + id + "\"");
    tally.cells_[{rule->id.text(), ParseWord<isa::Product>(cell.at(1))}] =
        ParseCell(*rule, cell.at(2));
  }
  tally.malformed = json.at(6);
  tally.problems = json.at(7).get<std::vector<std::string>>();
  return tally;
}

}  // namespace lanediff::diff::audit
