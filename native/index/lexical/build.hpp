// Lexical sections of one segment, from counted tokens or merged from the postings of segments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/forward.hpp"
#include "index/lexical/postings_writer.hpp"
#include "index/lexical/reader.hpp"

namespace asof::lexical {

/// Analysed rows in the segment's row order. Terms are numbered in any order; each is distinct.
struct RowTerms {
  std::vector<std::uint8_t> term_bytes;     // UTF-8, end to end
  std::vector<std::uint32_t> term_offsets;  // terms + 1
  std::vector<std::uint32_t> row_offsets;   // R + 1, into row_terms
  std::vector<std::uint32_t> row_terms;     // a term's number for every token; order within a row
                                            // matters to the forward sections alone
  // Rows as titles and sentences: each row's first tokens are its passage's title. Without these no
  // forward sections are made.
  bool titled = false;
  std::vector<std::uint32_t> row_passage;   // R
  std::vector<std::uint32_t> title_length;  // P: tokens
};

/// What building or merging gives.
struct Built {
  Sections postings;
  ForwardSections forward;
  std::vector<SectionData> sections() const;
};

/// Throws ERR_INVALID_ARGUMENT for offsets or numbers out of range and for a term given twice.
Built build_postings(RowTerms rows, const Parts& parts, const Cancel& cancel);

inline constexpr std::uint32_t dropped_row = 0xffffffff;

struct MergeSource {
  const Reader* reader;
  std::span<const std::uint32_t>
      new_row;  // for each row of the source its row in the result, or dropped_row
  const Segment* segment =
      nullptr;  // what the reader reads, where there are to be forward sections
  std::span<const std::uint32_t> new_passage = {};  // the same for each passage of the source
};

/// Every row of the result must come from exactly one source row. Statistics are those of the rows
/// kept. There are forward sections where all sources have them and name their segments.
Built merge_postings(std::span<const MergeSource> sources, const Parts& parts,
                     const Cancel& cancel);

}  // namespace asof::lexical
