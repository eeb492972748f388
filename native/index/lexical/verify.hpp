// Verification of the lexical sections of a segment.
#pragma once

#include "core/cancel.hpp"
#include "index/segment/segment.hpp"

namespace asof::lexical {

/// Reads every posting: terms ascend, postings name rows, their frequencies add up to what the
/// segment says of its terms and rows, and the impacts of a block bound it. Throws
/// ERR_CORPUS_CORRUPT naming the first section that does not.
void verify_postings(const Segment& segment, const Cancel& cancel);

}  // namespace asof::lexical
