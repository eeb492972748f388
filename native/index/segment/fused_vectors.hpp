// Fused vectors: the vectors of a segment's rows fused with their times (Re3, section 3.3), in a
// file that replaces the segment's own vectors in a flat scan.
#pragma once

#include <filesystem>
#include <span>

#include "core/cancel.hpp"
#include "encoder/time_encoder.hpp"
#include "index/segment/segment.hpp"

// A row's time is its first content time, narrowed by those that follow inside it ("in late August
// 2022 ... on 25 August": that day), as in lib/time/timeExtractor.ts; its components are those of
// lib/time/tuple.ts.

namespace asof {

/// One date a row, unknown for a row without a content time.
Dates content_dates(const Segment& segment, const Cancel& cancel);

/// A date for each row, and the encoder of dates.
struct RowDates {
  const TimeEncoder& encoder;
  const Dates& dates;
};

/// Writes the fused vectors of the segment's rows with `extra` sections, a block of rows at a time,
/// and panels of them if the segment has panels. Throws ERR_INVALID_ARGUMENT for an encoder of
/// other dimensions than the segment's, and unless there is one date a row.
void write_fused_vectors(OutputFile& file, const Segment& segment, const RowDates& times,
                         std::span<const SectionData> extra, const Cancel& cancel);

}  // namespace asof
