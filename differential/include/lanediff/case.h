#pragma once

/// Cases and outcomes: the model, reading and writing `lanediff-case/1`
/// documents. Namespace `lanediff`.
#include "differential/testcase/case.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
