// Takes from a kernel that passes, one place after the other, what orders,
// sets or writes there, and sees whether a run objects.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/scratch_folder.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/run/compile.h"
#include "tools/cli/weakening.h"

namespace lanediff::cli {
namespace {

struct WeakenWords {
  Compilation compilation;
  std::string product;
  std::vector<std::string> arguments;
  std::int64_t seconds = 60;
  std::string json;
};

int WeakenKernel(WeakenWords& words) {
  Compilation& c = words.compilation;
  if (c.call.kernel.empty() && !c.call.arguments.empty()) {
    return FailUsage("--arg is of a kernel; --kernel names it");
  }
  if (!words.product.empty())
    c.product = *isa::Parse<isa::Product>(words.product);
  const auto kit = FindKit();
  if (!kit) return FailUsage(kit.error());
  const auto program = Compile(*kit, c);
  if (!program) return FailUsage(program.error());
  const ScratchFolder folder;
  if (!folder.made())
    return FailUsage("can't make a folder as " + folder.path());
  // Runs are compared by what global memory holds, which may be addresses.
  personality(ADDR_NO_RANDOMIZE);
  const auto record =
      Weaken({.program = fmt::format("/proc/{}/fd/{}", getpid(), program->file),
              .name = fmt::format("{}", fmt::join(c.sources, " ")),
              .product = c.product,
              .arguments = words.arguments,
              .seconds = words.seconds,
              .folder = folder.path()});
  if (!record) return FailUsage(record.error());
  const auto sums = record->Sums();
  const bool written =
      WriteTo(words.json, [&] { return LayOut(RecordJson(*record)); });
  if (sums.status == kUsage) {
    return FailUsage("the kernel doesn't pass as it is: " +
                     record->modes.back().objection);
  }
  fmt::print(
      "WEAKENED places={} runs={} reported={} harmless={} missed={} "
      "edition={}\n",
      sums.places, sums.runs, sums.reported, sums.harmless, sums.missed,
      isa::Name(record->edition));
  if (sums.missed > 0) return kDisagreement;
  return written ? kAgree : kUsage;
}

}  // namespace

void AddWeaken(CommandLine& line) {
  const auto words = std::make_shared<WeakenWords>();
  Verb verb = line.Add(
      "weaken",
      "takes from a kernel that passes what orders, sets or writes, place by "
      "place, and reports whether a run objects",
      [words] { return WeakenKernel(*words); });
  Compilation& c = words->compilation;
  verb.Add("SOURCE", c.sources, "files of C++, compiled with $CXX $CXXFLAGS")
      .Required();
  verb.Add("-I", c.include, "where includes are looked for")
      .Each()
      .Called("DIR");
  verb.Add("-D", c.define, "a macro, such as DTYPE_X=half")
      .Each()
      .Called("NAME[=VALUE]");
  verb.Add("--product", words->product,
           "what the kernel is compiled for; default atlas-a2")
      .OneOf(AllWords<isa::Product>());
  AddKernelCall(verb, c.call);
  verb.Add("--seconds", words->seconds, "end a run after so long")
      .Within(1, 100000)
      .ShowDefault();
  verb.Add("--json", words->json, "write the verdicts as lanediff-weaken/1")
      .Called("FILE");
  line.Rest("weaken", words->arguments);
  verb.Footer(
      "With --auto-sync on and off. Places: PipeBarrier, SetFlag with its "
      "WaitFlag, EnQue\nwith its DeQue, FreeTensor with its AllocTensor, "
      "SyncAll, ResetMask, SetMaskNorm,\nInitSocState, and calls that write "
      "local bytes first. Status 1 if one is missed:\nnothing is reported, and "
      "nothing shows that it is harmless. Status 2: it doesn't pass as it is.");
}

}  // namespace lanediff::cli
