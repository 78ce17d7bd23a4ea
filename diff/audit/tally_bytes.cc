// A tally as CBOR: workers hand theirs over a pipe.

#include <nlohmann/json.hpp>

#include "diff/audit/tally.h"

namespace lanediff::diff::audit {
namespace {

using Json = nlohmann::json;

Json CandidateJson(const Candidate& c) {
  return {c.room, c.number,  c.side,      c.showing, c.distance,
          c.what, c.message, c.signature, c.size};
}

Candidate ParseCandidate(const Json& json) {
  return {.room = json[0],
          .number = json[1],
          .side = json[2].get<Side>(),
          .showing = json[3].get<Showing>(),
          .distance = json[4],
          .size = json[8],
          .what = json[5],
          .message = json[6],
          .signature = json[7]};
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
  cell.alone = json[0];
  cell.together = json[1];
  for (const Json& t : json[2]) {
    const Tried tried{t[0].get<isa::DType>(), t[1], t[2], t[3], t[4]};
    cell.tried[{tried.dtype, tried.form, tried.positions}] = tried;
  }
  for (const Json& p : json[3]) {
    const std::string field = p[0];
    const Point point{FieldOf(rule, field), p[1], p[2], p[3], p[4], p[5]};
    cell.points[{field, point.element_bits, point.value}] = point;
  }
  const Json& n = json[4];
  cell.numeric.nodes = n[0];
  cell.numeric.rounded = n[1];
  cell.numeric.ties = n[2];
  cell.numeric.saturated = n[3];
  cell.numeric.largest_ulp = n[4];
  cell.typical = ParseCandidates(json[5]);
  cell.bad = ParseCandidates(json[6]);
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
    const isa::Rule* const rule = isa::FindRule(cell.at(0).get<std::string>());
    tally.cells_[{rule->id.text(), cell.at(1).get<isa::Product>()}] =
        ParseCell(*rule, cell.at(2));
  }
  tally.malformed = json.at(6);
  tally.problems = json.at(7).get<std::vector<std::string>>();
  return tally;
}

}  // namespace lanediff::diff::audit
