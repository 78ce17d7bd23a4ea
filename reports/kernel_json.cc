#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/kernel.h"
#include "reports/kernel_document.h"

namespace lanediff::reports {

std::string KernelJson(const kernel::RunRecord& record) {
  return LayOut(RecordJson(KernelDocument{record}));
}

}  // namespace lanediff::reports
