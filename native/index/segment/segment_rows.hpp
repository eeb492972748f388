// View of a segment's sections as rows.
#pragma once

#include "index/rows/flat_rows.hpp"
#include "index/segment/segment.hpp"

namespace asof {

/// The rows of a segment; throws ERR_CORPUS_CORRUPT where its sections contradict each other. Reads
/// no rows.
FlatRows view_rows(const Segment& segment);

/// Replaces the rows' vectors by those of a file of vectors alone (schema::vector_counts): as many,
/// of any length. Throws ERR_CORPUS_CORRUPT where their number differs.
void replace_vectors(FlatRows& rows, const Segment& by);

}  // namespace asof
