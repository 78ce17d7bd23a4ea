#pragma once

/// The documents, literally: exact arithmetic, legality by listing bytes. Links
/// with `lanediff::oracle` alone. Namespace `lanediff::oracle`.
#include "oracle/oracle.h"
