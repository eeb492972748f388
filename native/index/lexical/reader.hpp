// Zero-copy reader of the lexical sections of a mapped segment. Offsets are checked before they are
// followed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "index/lexical/bm25.hpp"
#include "index/lexical/packing.hpp"
#include "index/lexical/postings_writer.hpp"
#include "index/segment/segment.hpp"

namespace asof::lexical {

class Reader {
 public:
  /// Throws ERR_CORPUS_CORRUPT where the sections contradict each other, ERR_CORPUS_NEWER for a
  /// later layout. The segment must outlive the reader, and be checked before more than terms and
  /// their frequencies are read.
  explicit Reader(const Segment& segment);

  const Segment& segment() const { return segment_; }
  const Parts& parts() const { return parts_; }
  std::uint64_t tokens(std::size_t part) const { return counts_[3 + part]; }
  std::uint32_t longest_row() const { return static_cast<std::uint32_t>(counts_[6]); }
  std::uint64_t terms() const { return counts_[1]; }
  std::uint64_t postings() const { return counts_[2]; }
  std::span<const std::uint32_t> row_length() const { return row_length_; }

  std::string_view term(std::uint32_t number) const;
  std::optional<std::uint32_t> find(std::string_view term) const;
  /// Rows that hold the term in each part.
  std::array<std::uint32_t, 3> frequency(std::uint32_t term) const;
  std::uint32_t first_block(std::uint32_t term) const { return term_block_[term]; }

  std::uint32_t last_row(std::uint32_t block) const { return block_last_[block]; }
  /// The best contribution of the block's postings.
  double bound(std::uint32_t block, double weight, const InverseNorms& norms) const;
  /// Whether that is so, under any k1 and b, for a posting of this frequency in a row this long.
  bool bounds(std::uint32_t block, std::uint32_t frequency, std::uint32_t length) const;
  /// The packed bytes of a block of `count` postings.
  struct Packed {
    const std::uint8_t* gaps;
    const std::uint8_t* extra;
    unsigned gap_bits;
    unsigned extra_bits;
  };
  Packed packed(std::uint32_t block, std::size_t count) const;
  /// `before` is the last row of the term's previous block, or 2^32 - 1. Throws where the rows do
  /// not end at last_row(block).
  void rows(std::uint32_t block, const Packed& packed, std::uint32_t before, std::size_t count,
            std::uint32_t* out) const;
  std::uint64_t blocks() const { return block_last_.size(); }

  [[noreturn]] void corrupt(const char* section, const char* what) const;

 private:
  /// Pairs of a frequency and a length.
  std::span<const std::uint32_t> impacts_of(std::uint32_t block) const;
  const Segment& segment_;
  Parts parts_;
  std::span<const std::uint64_t> counts_, block_offset_;
  std::span<const std::uint32_t> row_length_, term_block_, block_last_, impact_offset_, impacts_;
  std::span<const std::uint8_t> postings_;
  // What document frequencies read, before a search has verified all.
  CheckedSpan<std::uint8_t> term_bytes_;
  CheckedSpan<std::uint32_t> term_offset_, term_frequency_;
};

/// A walk over the postings of one term, forwards only.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Reader& reader, std::uint32_t term);

  std::uint64_t postings() const { return postings_; }
  bool done() const { return block_ >= end_block_; }
  std::uint32_t block() const { return block_; }
  std::uint32_t end_block() const { return end_block_; }
  std::uint32_t last_row() const { return reader_->last_row(block_); }
  /// A row that no posting of the current block precedes.
  std::uint32_t first_possible_row() const {
    return block_ == first_block_ ? 0 : reader_->last_row(block_ - 1) + 1;
  }

  /// To the first block whose last row is not below `row`.
  void shallow_advance(std::uint32_t row);
  /// Rows and frequencies of the current block, decoded on demand.
  std::span<const std::uint32_t> rows();
  std::span<const std::uint32_t> frequencies();
  void next_block() { block_ += 1; }
  /// The term's frequency in a row not below the current block's first one; 0 where it has none.
  std::uint32_t frequency_at(std::uint32_t row);

 private:
  std::size_t count() const;
  const Reader* reader_ = nullptr;
  std::uint32_t first_block_ = 0, end_block_ = 0, block_ = 0;
  std::uint64_t postings_ = 0;
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t rows_of_ = none, frequencies_of_ = none;
  Reader::Packed packed_{};
  std::array<std::uint32_t, block_postings> rows_, frequencies_;
};

}  // namespace asof::lexical
