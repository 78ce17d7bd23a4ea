#pragma once

/// The same, fast. Links with `lanediff::emulator` alone. Namespace
/// `lanediff::emulator`.
#include "emulator/emulator.h"
