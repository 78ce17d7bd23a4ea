#include "differential/testcase/json_layout.h"
#include "differential/testcase/record_json.h"
#include "reports/mutant_record.h"
#include "reports/printers.h"

namespace lanediff::reports {

std::string RunJson(const RunRecord& record) {
  return LayOut(RecordJson(record));
}

std::string MutantsJson(const MutantsRecord& record) {
  return LayOut(RecordJson(record));
}

}  // namespace lanediff::reports
