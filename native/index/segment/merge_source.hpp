// What a merge reads of its sources, whose sections are checked against each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/clock_column.hpp"
#include "index/segment/merge.hpp"
#include "index/segment/merge_fields.hpp"
#include "index/segment/segment.hpp"

namespace asof::merging {

/// A passage or row of a source.
using Origin = fields::Place;

/// Throws ERR_CORPUS_CORRUPT for a section that does not agree with the segment's counts.
[[noreturn]] void contradicts(const Segment& segment, const char* section);

/// Texts of passages, end to end in one section with their offsets in another.
class Texts {
 public:
  Texts() = default;
  Texts(const Segment& file, const char* offsets, const char* bytes, std::uint64_t passages);
  bool empty() const { return offset_.empty(); }
  std::span<const std::uint8_t> operator[](std::size_t p) const {
    if (empty()) return {};
    return bytes_.subspan(offset_[p], offset_[p + 1] - offset_[p]);
  }

 private:
  std::span<const std::uint64_t> offset_;
  std::span<const std::uint8_t> bytes_;
};

/// A source's sections of passages and rows.
struct Source {
  /// Throws ERR_CORPUS_CORRUPT.
  explicit Source(const Segment& file);
  std::span<const std::uint8_t> id(std::size_t p) const { return ids[p]; }

  const Segment* segment;
  std::uint64_t passages, multi_sentence, rows, mentions, dimensions;
  std::span<const std::uint32_t> row_passage;
  Texts ids, records, statements;
  std::vector<std::uint32_t> whole_row;  // of a passage, in [0, P)
  struct RowRange {
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<RowRange> sentences;  // of each passage; empty of those of one sentence

 private:
  void find_sentences();
};

/// A clock column in milliseconds, from ticks of any type.
class Milliseconds {
 public:
  /// Of `clock` (published, valid, content); throws ERR_CORPUS_CORRUPT unless it has `count`.
  Milliseconds(const Segment& segment, const char* name, std::size_t clock, std::uint64_t count);
  double operator[](std::size_t i) const {
    return wide_.empty() ? milliseconds_of(narrow_[i], encoding_)
                         : milliseconds_of(wide_[i], encoding_);
  }

 private:
  ClockEncoding encoding_;
  std::span<const std::int32_t> narrow_;
  std::span<const std::int64_t> wide_;
};

/// Where the content times of each row begin; R + 1.
std::span<const std::uint32_t> content_offsets(const Source& source);

}  // namespace asof::merging
