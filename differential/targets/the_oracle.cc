#include "differential/targets/the_oracle.h"

#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

class OracleTarget final : public StepwiseTarget {
 public:
  std::string_view name() const override { return "oracle"; }
  std::string_view description() const override {
    return "the arbitrary-precision oracle; every instruction";
  }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<OracleSession>(profile, memories);
  }

 private:
  class OracleSession final : public Session {
   public:
    OracleSession(isa::Profile profile, isa::Memories memories)
        : oracle_(profile, memories) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return oracle_.Execute(step);
    }
    const std::vector<isa::Access>* accesses() const override {
      return &oracle_.accesses();
    }
    const isa::NumericEvents* events() const override {
      return &oracle_.events();
    }
    std::uint64_t node_count() const override { return oracle_.node_count(); }

   private:
    oracle::Oracle oracle_;
  };
};

}  // namespace

const StepwiseTarget& TheOracle() {
  static const OracleTarget oracle;
  return oracle;
}

}  // namespace lanediff::diff
