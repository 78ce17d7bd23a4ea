#include "kernel/engine/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "differential/testcase/series.h"
#include "isa/resource.h"
#include "kernel/engine/engine.h"
#include "kernel/engine/gm.h"

namespace lanediff::kernel {
namespace {

std::vector<std::uint8_t> BytesOf(const MemoryImage& image) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(image.size),
                                  image.fill);
  for (const Region& region : image.regions) {
    const std::span<std::uint8_t> out =
        std::span(bytes).subspan(static_cast<std::size_t>(region.at),
                                 static_cast<std::size_t>(region.size()));
    if (region.series) {
      region.series->Write(0, out);
    } else {
      std::ranges::copy(region.bytes, out.begin());
    }
  }
  return bytes;
}

/// The settings of the run, with those that `c` states.
Settings SettingsOf(const Case& c, Settings settings) {
  settings.product = c.product;
  settings.edition = c.edition;
  // TIK's compiler synchronizes: what it puts in is not in the program.
  const bool tik = c.origin && c.origin->tool == "tik";
  settings.sync = c.lint.sync.has_value() && !tik;
  if (c.lint.sync) settings.auto_sync = c.lint.sync->automatic;
  settings.mask_start_ones = settings.mask_start_ones || !c.lint.start_unknown;
  return settings;
}

}  // namespace

struct Recorded::Inside {
  class Recorder : public Sink {
   public:
    explicit Recorder(RunRecord& record) : record_(record) {}

    void Found(std::size_t index, Finding& finding) override {
      record_.findings.resize(std::max(record_.findings.size(), index + 1));
      record_.findings[index] = finding;
    }
    void Noted(std::size_t, const Note& note) override {
      record_.notes.push_back(note);
    }
    void Refused(const Refusal& refusal) override {
      record_.refusals.push_back(refusal);
    }
    void Hid(const Hidden& hidden) override {
      record_.hidden.push_back(hidden);
    }
    void FoundAgain(std::size_t index, std::uint64_t times) override {
      record_.findings[index].times = times;
    }
    void NotedAgain(std::size_t index, std::uint64_t times) override {
      record_.notes[index].times = times;
    }

   private:
    RunRecord& record_;
  };

  explicit Inside(RunRecord& r) : record(r), requested(r.settings), sink(r) {}

  RunRecord& record;
  Settings requested;
  Gm gm;
  Recorder sink;
  std::optional<Engine> engine;
  std::set<std::string> files;  ///< the engine remembers where a name lies
  std::uint64_t refused = 0;
  lanediff_site last = {nullptr, 0};

  lanediff_site SiteOf(const Case& c, std::size_t number) {
    const StepSource* const source = SourceOf(c, number);
    const bool known = source != nullptr;
    return {files.insert(known ? source->file : c.id).first->c_str(),
            static_cast<std::int32_t>(
                known ? source->line : static_cast<std::int64_t>(number))};
  }
  void Count() {
    record.counts = engine ? engine->counts() : Counts{};
    record.counts.refused += refused;
    if (engine) record.sites = engine->sites();
  }
};

namespace {

/// One program on its way through the engine.
class Player {
 public:
  Player(const Case& c, Engine& engine) : case_(c), engine_(engine) {
    const auto& image = c.memory[static_cast<std::size_t>(isa::Memory::kGm)];
    if (image) left_[0] = BytesOf(*image);
    engine_.SetGm(left_[0]);
  }

  Next Take(std::size_t number, lanediff_site site) {
    const isa::Step& step = case_.program[number];
    const auto* const resource = std::get_if<isa::Resource>(&step);
    const bool launches =
        resource != nullptr && resource->name == isa::ResourceName::kLaunch;
    const bool enters =
        resource != nullptr && resource->name == isa::ResourceName::kBlock;
    if (launches || !launched_) {
      if (launched_) engine_.EndLaunch();
      engine_.BeginLaunch(
          case_.id, launches ? resource->Integer("blocks").value_or(1) : 1,
          site);
      ForgetGm();
      launched_ = true;
      entered_ = false;
      if (launches) return Next::kGoOn;
    }
    if (enters) {
      Enter(resource->Integer("block").value_or(0));
      return Next::kGoOn;
    }
    if (!entered_) Enter(0);
    return engine_.Take(step, site);
  }

  Left End() {
    for (std::size_t m = 1; entered_ && m < left_.size(); ++m) {
      const auto bytes = engine_.Used(static_cast<isa::Memory>(m));
      left_[m].assign(bytes.begin(), bytes.end());
    }
    if (launched_) engine_.EndLaunch();
    return std::move(left_);
  }

 private:
  void Enter(std::int64_t block) {
    engine_.EnterBlock(block);
    entered_ = true;
    if (!seen_.insert(block).second) return;
    for (std::size_t m = 1; m < left_.size(); ++m) {
      const auto& image = case_.memory[m];
      if (!image) continue;
      const auto memory = static_cast<isa::Memory>(m);
      const auto bytes = BytesOf(*image);
      engine_.Load(memory, bytes);
      if (image->initialised) engine_.Remember(memory, 0, image->size);
      for (const Region& region : image->regions) {
        engine_.Remember(memory, region.at, region.end());
      }
    }
  }

  /// Bytes of GM that the case doesn't give.
  void ForgetGm() {
    seen_.clear();
    const auto& image = case_.memory[0];
    if (!image || image->initialised) return;
    std::int64_t at = 0;
    for (const Region& region : image->regions) {
      engine_.Forget(isa::Memory::kGm, at, region.at);
      at = region.end();
    }
    engine_.Forget(isa::Memory::kGm, at, image->size);
  }

  const Case& case_;
  Engine& engine_;
  Left left_;
  std::set<std::int64_t> seen_;
  bool launched_ = false;
  bool entered_ = false;
};

}  // namespace

Recorded::Recorded(RunRecord& record)
    : inside_(std::make_unique<Inside>(record)) {}
Recorded::~Recorded() = default;

std::expected<Left, std::string> Recorded::Run(const Case& c,
                                               const std::atomic<bool>& stop) {
  Inside& in = *inside_;
  const Settings settings = SettingsOf(c, in.requested);
  if (in.engine && settings.product != in.record.settings.product) {
    return std::unexpected(fmt::format(
        "{} is of {}, what ran before of {}; a run is of one product", c.id,
        isa::Name(settings.product), isa::Name(in.record.settings.product)));
  }
  if (in.engine && settings != in.record.settings) {
    return std::unexpected(c.id +
                           " has another synchronization or start than what "
                           "ran before; a run has one");
  }
  if (!in.engine) {
    in.record.settings = settings;
    in.engine.emplace(settings, in.gm, in.sink);
  }
  Player player(c, *in.engine);
  for (std::size_t i = 0; i < c.program.size() && !stop; ++i) {
    in.last = in.SiteOf(c, i);
    if (player.Take(i, in.last) != Next::kEndRun) continue;
    const std::uint64_t most = settings.max_errors;
    in.record.end = {
        .how = End::How::kTooMany,
        .code = 0,
        .text = fmt::format("stopped at {} findings (--max-errors {})", most,
                            most)};
    break;
  }
  Left left = player.End();
  in.Count();
  return left;
}

void Recorded::ReportPoison(const std::string& kernel, std::int64_t at,
                            std::int64_t bytes, const Site& site) {
  Inside& in = *inside_;
  if (!in.engine) return;
  in.engine->ReportPoison(kernel, at, bytes,
                          {in.files.insert(site.file).first->c_str(),
                           static_cast<std::int32_t>(site.line)});
  in.Count();
}

void Recorded::Refuse(const Refusal& refusal) {
  inside_->record.refusals.push_back(refusal);
  ++inside_->refused;
  inside_->Count();
}

std::uint64_t Recorded::Found() const {
  std::uint64_t found = 0;
  for (const Finding& finding : inside_->record.findings) {
    found += finding.times;
  }
  return found;
}

std::string Recorded::Place() const {
  const Inside& in = *inside_;
  if (in.last.file == nullptr) return "";
  return fmt::format(" behind launch {}, after {}:{}",
                     in.engine->counts().launches - 1, in.last.file,
                     in.last.line);
}

}  // namespace lanediff::kernel
