// Coverage of a case: the edges of the instrumented code that it passed, and how often by powers of
// two. Code is instrumented where ASOF_FUZZ is on; elsewhere nothing is ever new.
#pragma once

namespace fuzz {

/// Forgets the last case.
void begin_coverage();
/// Whether this case passed what none had passed before.
bool is_new_coverage();

}  // namespace fuzz
