// Merge of corpus segments: drops deleted passages (tombstones), sorts the live ones by id and the
// rows of each group by time, so that blocks of rows have narrow ranges of times. Vectors are
// streamed; memory holds row numbers and clocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/segment/panels.hpp"
#include "index/segment/segment.hpp"

namespace asof {

/// The new number of a dropped row or passage.
inline constexpr std::uint32_t dropped = 0xffffffff;

struct MergeSource {
  std::shared_ptr<const Segment> segment;
  std::vector<std::uint8_t>
      visible;  // bit p % 8 of byte p / 8 set: passage p is kept; empty: all are
};

/// For every source: the new number of each of its rows and passages, or `dropped`.
struct MergePlan {
  std::uint64_t passages = 0, multi_sentence = 0, rows = 0;
  std::vector<std::vector<std::uint32_t>> new_rows, new_passages;
};

/// Throws ERR_CORPUS_CORRUPT where sections of a source contradict each other.
MergePlan plan_merge(std::span<const MergeSource> sources, const Cancel& cancel);

struct MergeExtras {
  std::span<const SectionData> sections;  // postings, in addition to the merged sections
  Storage storage;                        // of panels, whatever the sources have
};

/// Writes the merged segment. Throws ERR_INVALID_ARGUMENT for a plan that is not a bijection onto
/// the new rows and passages.
void write_merge(OutputFile& file, std::span<const std::shared_ptr<const Segment>> segments,
                 const MergePlan& plan, const MergeExtras& extras, const Cancel& cancel);

}  // namespace asof
