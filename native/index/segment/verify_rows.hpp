// Verification of the rows, passages and clocks of a segment.
#pragma once

#include "core/cancel.hpp"
#include "index/segment/segment.hpp"

namespace asof {

/// Lengths of sections agree, each passage has its rows, offsets and ids ascend, times end no
/// sooner than they start, fields are in order, and summaries of blocks are those of their rows.
/// Vectors, texts and records are not read. Throws ERR_CORPUS_CORRUPT naming the first section that
/// differs.
void verify_rows(const Segment& segment, const Cancel& cancel);

}  // namespace asof
