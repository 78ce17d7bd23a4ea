#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/intervals.h"
#include "kernel/carried/carried.h"
#include "kernel/engine/across.h"
#include "kernel/engine/cases.h"
#include "kernel/engine/engine.h"
#include "kernel/engine/executor.h"
#include "kernel/engine/findings.h"
#include "kernel/engine/operands.h"
#include "sanitizer/walk.h"

/// What an engine has inside; for the engine's own files.
namespace lanediff::kernel {

/// An argument of a Resource step.
inline isa::Argument Arg(std::string_view name, std::string_view text) {
  return {std::string(name), std::string(text)};
}
inline isa::Argument Arg(std::string_view name, std::int64_t number) {
  return {std::string(name), number};
}

struct Engine::Inside {
  Inside(const Settings& s, Gm& g, Sink& sink, const emulator::Seams& seams);

  /// An address of the host that GetPhyAddr returned.
  struct RawPointer {
    lanediff_tensor tensor{};  ///< the last one that had the address
    std::uint64_t unused = 0;  ///< how often it was returned and not used
  };

  struct Block {
    Block(isa::Profile profile, std::unique_ptr<LocalMemory> given,
          const emulator::Seams& seams)
        : memory(std::move(given)),
          local(*memory),
          executor(profile, local, seams) {}

    /// What was handed out last at each address: site and end.
    std::map<std::pair<isa::Memory, std::int64_t>,
             std::pair<Site, std::int64_t>>
        buffers;

    std::unique_ptr<LocalMemory> memory;
    LocalMemory& local;
    Executor executor;
    VectorState state;  ///< without mask and mode, which the Walk has
    std::uint64_t ctrl = 0;
    /// Bytes with uncertified values: of approximate and skipped calls,
    /// and of what was computed from them.
    std::array<isa::IntervalSet, isa::kCount<isa::Memory>> doubtful;
    /// Addresses that GetPhyAddr returned.
    std::map<std::uint64_t, RawPointer> raw_pointers;
    /// What --without has taken away and a later call waits for.
    std::map<std::pair<isa::Event, std::int64_t>, int> flags_without;
    std::set<std::pair<std::int64_t, std::int64_t>> tensors_without;
  };

  /// What became of an audited call's value; of its parts in counter mode the
  /// last one here counts.
  enum class Outcome : std::uint8_t {
    kNoValue,   ///< nothing is compared: it accumulates, or has no element
    kCompared,  ///< with the oracle, bit for bit
    kWithin,    ///< and results within what --ulp declares
    kOpen,      ///< and results of which no document states a precision
    kSkipped,   ///< by --values
    kRejected,
  };

  // ---- inside.cc: steps ----
  std::string_view Kept(std::string_view text);
  /// Enters the step into the log, judges and follows it.
  isa::StepResult Take(isa::Step step, std::size_t site,
                       bool report_rejects = true);
  Next After();
  void AddBlock(std::int64_t number);
  void LeaveBlocks();
  Next TakeResource(isa::ResourceName name, isa::Arguments arguments,
                    lanediff_site site);
  void ReportResult(const isa::StepResult& result, bool report_rejects);
  void DrainWalk();
  void MarkDoubtful(const std::vector<isa::Access>& accesses, bool doubtful);
  bool ReadsDoubtful(const std::vector<isa::Access>& accesses);
  isa::IntervalSet& DoubtfulOf(isa::Memory memory);
  void NoteUncertified(std::size_t site);

  // ---- report_findings.cc: findings ----
  void Report(const lint::Hazard& hazard);
  void ReportNote(isa::RuleId rule, std::size_t step, std::string message);
  void ReportReject(isa::RuleId rule, std::size_t step);
  /// `gm_moved`: by so much its addresses of GM lie above those of cases.
  void ReportValue(std::size_t step, const Executor::Compared& values,
                   std::int64_t gm_moved);
  void ReportHidden(const lint::Walk::Hidden& hidden);
  void File(Finding finding, Shown shown);
  Access AccessAt(std::size_t step) const;
  Site SiteOf(std::size_t step) const;
  std::string OpAt(std::size_t step) const;
  void NameBuffer(isa::Memory memory, std::int64_t at, std::int64_t bytes);
  std::optional<Buffer> BufferOf(const Bytes& bytes) const;
  std::string CallText(std::size_t step) const;
  std::string BytesText(const lint::HazardBytes& bytes,
                        const lint::Place& place) const;
  std::string InitMessage(const lint::Hazard& hazard,
                          const Finding& finding) const;
  Shown Alone(isa::RuleId rule, std::size_t step);

  // ---- causes.cc: findings that follow from others ----
  std::optional<Cause> CauseOf(const lint::Hazard& hazard) const;
  std::optional<Cause> CauseOfReject(isa::RuleId rule, std::size_t step,
                                     const Finding& finding) const;
  /// The finding may be the cause of later ones.
  void NoteFault(const lint::Hazard& hazard, const Finding& finding);
  std::optional<Cause> Reported(Cause cause) const;
  /// Of a call that is skipped because of `rejected_by`: what it would have
  /// written.
  void LeaveUnknown(const std::vector<isa::Access>& accesses);
  std::int32_t SourceOf(const Cause& cause);
  void CountUnknown(std::int32_t source, std::int64_t bytes,
                    const std::string& where);
  void CountUnknownReads();
  /// Of a launch that has ended.
  void ReportUnknown();

  /// " (argument 2, elements 8 to 11)" of bytes in GM; "" if they are none's.
  std::string ArgumentText(std::int64_t at, std::int64_t end, std::size_t step,
                           std::string_view operand) const;
  /// "argument 2, elements 8 to 11"; of none's bytes "GM [512,544)".
  std::string PlaceInGm(std::int64_t at, std::int64_t end) const;
  void NoteCut(isa::RuleId rule, std::size_t step);
  struct Cut;
  const Cut* CutOf(isa::Memory memory, std::int64_t at, std::int64_t end) const;
  std::string CutText(const Cut* cut) const;
  void KeepUnwritten();
  void ReportOutputs();
  void ReportOutput(const GmArgument& argument);

  // ---- queues.cc ----
  Next HandOut(isa::ResourceName name, std::int64_t buffer, lanediff_site site,
               lanediff_tensor& tensor);

  // ---- inside.cc: --without ----
  bool IsWithout(std::size_t site) const;
  bool IsFlagWithout(const isa::Step& step, std::size_t site);
  void GiveWithout(std::int64_t buffer, std::int64_t at, std::size_t site);
  void GetWithout(std::int64_t buffer, std::optional<std::int64_t> at);
  void CutMask();
  void CutMode();
  void LookAcross(isa::StepResult::Status status, std::size_t site);

  // ---- calls.cc, counter_mode.cc ----
  Next Execute(const lanediff_call& call);
  Next ExecuteAudited(const lanediff_call& call, isa::Call step,
                      std::vector<Placed>& operands, std::size_t site);
  void CountAudited(std::size_t site);
  /// An element that the scalar unit writes, or reads into `value`.
  Next ExecuteScalar(const lanediff_operand& operand, bool write,
                     std::int64_t index, std::uint64_t& value,
                     lanediff_site site);
  void ExecuteInCounterMode(const isa::Call& call,
                            const std::vector<Placed>& operands,
                            std::size_t site);
  void TakeParts(const isa::Call& call, const std::vector<Placed>& operands,
                 std::size_t site, std::int64_t elements);
  bool TakeAudited(const isa::Call& call, const std::vector<Placed>& operands,
                   std::size_t site);
  void Run(const isa::Call& call, const std::vector<Placed>& operands,
           std::size_t site);
  void Accumulate(const isa::Call& call, const std::vector<Placed>& operands);
  bool ComparesValues(const isa::Call& call, std::size_t site);
  Next ExecuteCarried(const lanediff_call& call,
                      const std::vector<Placed>& operands, std::size_t site);
  bool Prepare(std::string_view call, const std::vector<Placed>& operands,
               std::size_t site);
  void DescribeOperands(const std::vector<Placed>& operands, std::size_t site);
  void CountWritten(const std::vector<Placed>& operands);
  Next TakeRecorded(const isa::Step& step, lanediff_site site,
                    std::uint8_t* gm_bytes);
  void Write(const isa::Carried& call, std::uint8_t* gm_bytes);
  Next Refuse(const char* name, std::string why, lanediff_site site);
  VectorState StateNow() const;

  Settings settings;
  Gm& gm;
  Sink& sink;
  const emulator::Seams& seams;
  Findings findings;
  Sites sites;
  Counts counts;
  Case facts;  ///< product, memories and the facts for lint
  Log log;
  std::unique_ptr<lint::Walk> walk;
  std::map<std::int64_t, Block> blocks;
  /// Of blocks that have ended, for those that begin.
  std::vector<std::unique_ptr<LocalMemory>> idle;
  Block* here = nullptr;
  Across across;
  bool gives_without = false;  ///< what the next step implies is taken away
  bool exempt_next = false;    ///< the next step is its compiler's affair
  isa::IntervalSet doubtful_gm;
  /// At the start of the launch.
  isa::IntervalSet unwritten_gm;
  std::int64_t block = 0;
  std::uint8_t poison = 0xa5;  ///< of local memory
  std::int64_t launch = -1;
  std::string kernel;  ///< that was launched
  lanediff_site launched_at = {nullptr, 0};
  bool cut_short = false;  ///< a block of the launch ended before its end
  std::uint64_t refused_before = 0;  ///< the launch
  /// Bytes that a copy leaves out as they are no whole DataBlock.
  struct Cut {
    isa::Memory memory = isa::Memory::kGm;
    std::int64_t block = 0;
    std::int64_t at = 0;
    std::int64_t end = 0;
    std::size_t step = 0;
    std::int64_t bytes = 0;  ///< that were meant
    isa::RuleId rule;
  };
  std::vector<Cut> cuts;  ///< of the launch
  /// A finding of the launch that others may follow from.
  struct Fault {
    isa::RuleId rule;
    Cause cause;
    std::size_t step = 0;
    std::int64_t block = 0;
    std::optional<std::pair<isa::Pipe, isa::Pipe>> pipes;  ///< to be ordered
    std::optional<lint::HazardBytes> bytes;  ///< INIT-READ: that were missing
    /// INIT-STALE: the steps that wrote the bytes and read them first.
    std::optional<std::pair<std::size_t, std::size_t>> stale;
  };
  static std::optional<lint::HazardBytes> MissingOf(const lint::Hazard& hazard);
  std::deque<Fault> faults;
  std::map<std::int64_t, Cause> ended_by;  ///< blocks, by a finding
  /// Why calls were skipped, and what depends on them; by source.
  struct Unknown {
    Cause cause;
    std::uint64_t bytes = 0;
    std::uint64_t reported = 0;  ///< of these, at the end of a launch
    std::vector<std::string> places;
  };
  std::vector<Unknown> unknown;
  Cause rejected_by;  ///< of the last call that was skipped
  std::int64_t next_tpipe = 0;
  std::int64_t next_buffer = 0;
  std::uint64_t followed = 0;  ///< bytes, of launches that have ended
  std::size_t last_step = 0;
  Outcome outcome = Outcome::kNoValue;  ///< of the audited call at hand
  std::uint64_t returned = 0;           ///< by the last unaudited call
  std::map<std::size_t, std::vector<std::pair<isa::Call, std::uint64_t>>>
      compared;  ///< by site: how often a set of parameters was
  std::set<std::tuple<std::string, Site, Site>> hidden;
  std::set<std::string, std::less<>> kept;
  std::map<std::string, int> cases_at;  ///< by `CaseStem`
};

}  // namespace lanediff::kernel
