#pragma once

#include "reports/audit_record.h"

namespace lanediff::reports::test {

/// An audit that has every verdict, several products, every optional part, and
/// text that must be escaped.
audit::AuditRecord SampleAudit();

}  // namespace lanediff::reports::test
