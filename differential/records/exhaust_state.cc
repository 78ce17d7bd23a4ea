#include "differential/records/exhaust_state.h"

#include <fmt/format.h>

#include <utility>

#include "differential/testcase/json.h"
#include "differential/testcase/record_json.h"

namespace lanediff::make::exhaust {
namespace {

std::string PartText(const Part& part) {
  return fmt::format("calls {}..{}, shard {}/{}", part.from, part.to,
                     part.index, part.count);
}

}  // namespace

std::uint64_t Part::size() const {
  const auto below = [&](std::uint64_t end) {
    return end / count + (end % count > index ? 1 : 0);
  };
  return to > from ? below(to) - below(from) : 0;
}

std::uint64_t Part::CallAt(std::uint64_t position) const {
  const std::uint64_t rest = (index + count - from % count) % count;
  return from + rest + position * count;
}

std::string StateText(const State& state) { return RecordText(state); }

std::expected<State, std::string> ReadState(std::string_view text) {
  auto state = ReadDocument<State>(text);
  if (state) return *std::move(state);
  const auto& [pointer, message] = state.error();
  return std::unexpected(
      fmt::format("{}: {}", pointer.empty() ? "/" : pointer, message));
}

std::string Mismatch(const State& found, const State& wanted) {
  const auto differ = [](std::string_view what, std::string_view a,
                         std::string_view b) {
    return fmt::format("is of {} {}, not {}", what, a, b);
  };
  if (found.space != wanted.space) {
    return differ("space", found.space, wanted.space);
  }
  if (found.version != wanted.version) {
    return differ("another version of " + found.space + ":", found.version,
                  wanted.version);
  }
  if (found.part != wanted.part) {
    return differ("part", PartText(found.part), PartText(wanted.part));
  }
  if (found.target != wanted.target) {
    return differ("target", found.target, wanted.target);
  }
  if (found.ulp != wanted.ulp) {
    const auto text = [](const State& state) {
      return state.ulp.empty() ? "nothing" : state.ulp;
    };
    return differ("--ulp", text(found), text(wanted));
  }
  if (found.Edition() != wanted.Edition()) {
    return differ("edition", isa::Name(found.Edition()),
                  isa::Name(wanted.Edition()));
  }
  return "";
}

}  // namespace lanediff::make::exhaust
