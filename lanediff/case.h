#pragma once

/// Cases and outcomes: the model, reading and writing `lanediff-case/1`
/// documents. Namespace `lanediff`.
#include "case/case.h"
#include "case/case_reader.h"
#include "case/case_writer.h"
#include "case/outcome.h"
