// Passages as they are indexed, some at once: the content times of their rows, and what ranking
// reads of them, packed. Off UTC, which instants their times are comes from outside, between two
// steps that run on all threads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/cancel.hpp"
#include "statements/lexicon.hpp"
#include "statements/reading.hpp"

namespace asof::statements {

struct IndexedPassage {
  SourcePassage source;
  bool is_packed = false;
  SourceText joined;  // title and text as one, which is encoded; empty without a title
};

struct IndexedBatch {
  std::vector<IndexedPassage> passages;
  bool sentence_rows = false;  // of passages of several sentences
  TextGroup group;             // of all texts of passages
  Lexicon lexicon;
  std::vector<Entry> entries;  // of the group's words
};

/// Finds times and words. Passages stay where they are from now on.
void tag(IndexedBatch& batch, const Cancel& cancel);

struct IndexedColumns {
  /// Content times of rows: of each passage, then of its sentences that have rows. Those of a
  /// sentence are its own and its title's, of a passage those of all of its sentences; each
  /// interval is where it is named first.
  std::vector<std::uint32_t> time_ends;
  std::vector<double> starts, ends;
  std::vector<std::uint8_t> granularities;
  /// Packed passages one after another (packed.hpp).
  std::vector<std::uint32_t> packed_ends;
  std::vector<std::uint8_t> packed;
};

/// `instants`: those of the group's mentions, or none.
IndexedColumns read(const IndexedBatch& batch, std::span<const double> instants,
                    const Cancel& cancel);

}  // namespace asof::statements
