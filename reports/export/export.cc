#include "reports/export/export.h"

#include <fmt/format.h>

#include <optional>

#include "isa/catalogue.h"
#include "reports/export/snippet.h"
namespace lanediff::exports {
namespace {

/// The API that an instruction belongs to; none for state steps.
std::optional<Api> ApiOfStep(const isa::Step& step) {
  const isa::Instruction* const found = isa::InstructionOf(step);
  if (found == nullptr) return std::nullopt;
  switch (found->api) {
    case isa::Api::kAscendC:
      return Api::kAscendc;
    case isa::Api::kPto:
      return Api::kPto;
    case isa::Api::kTik:
      return Api::kTik;
  }
  return std::nullopt;
}

}  // namespace

std::expected<Api, std::string> ApiOf(const Case& c) {
  std::optional<Api> api;
  std::size_t first = 0;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (isa::IsOfKernel(c.program[i])) {
      return std::unexpected(fmt::format(
          "step {} is {}, of a kernel: the kernel's own source has it, and no "
          "program is written of it; `lanediff check` replays the case",
          i, isa::OpName(c.program[i])));
    }
    const auto mine = ApiOfStep(c.program[i]);
    if (!mine) continue;
    if (api && *api != *mine) {
      return std::unexpected(
          fmt::format("step {} ({}) is {} and step {} ({}) is {}: no API has "
                      "both; export a case with the steps of one",
                      first, isa::OpName(c.program[first]), isa::Name(*api), i,
                      isa::OpName(c.program[i]), isa::Name(*mine)));
    }
    if (!api) first = i;
    api = mine;
  }
  return api.value_or(Api::kAscendc);
}

std::expected<Snippet, std::string> ExportCase(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name) {
  const auto api = ApiOf(c);
  if (!api) return std::unexpected(api.error());
  switch (*api) {
    case Api::kAscendc:
      return ExportAscendc(c, expected, file_name);
    case Api::kPto:
      return ExportPto(c, expected, file_name);
    case Api::kTik:
      return ExportTik(c, expected, file_name);
  }
  return std::unexpected("no such API");
}

}  // namespace lanediff::exports
