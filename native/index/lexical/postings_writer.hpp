// Writer of the lexical sections: a sorted term dictionary, posting lists in blocks of 128 rows,
// and the impacts that bound each block's best contribution under any k1 and b.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/segment/segment.hpp"

namespace asof::lexical {

inline constexpr std::uint64_t format = 1;
inline constexpr std::size_t block_postings = 128;
inline constexpr std::size_t block_impacts = 4;

namespace schema {
// u64[8]: format, terms, postings, tokens of rows [0, M), of [M, P), of [P, R), longest row, 0
inline constexpr const char* counts = "lexical.counts";
inline constexpr const char* row_length = "lexical.row_length";  // u32[R]: tokens of a row, exact
inline constexpr const char* term_bytes =
    "lexical.term_bytes";  // u8: terms in UTF-8, ascending by bytes, end to end
inline constexpr const char* term_offset =
    "lexical.term_offset";  // u32[terms + 1]: into term_bytes
inline constexpr const char* term_frequency =
    "lexical.term_df";  // u32[3 * terms]: rows that hold it in [0, M), [M, P), [P, R)
inline constexpr const char* term_block = "lexical.term_block";  // u32[terms + 1]: its first block
inline constexpr const char* block_last =
    "lexical.block_last";  // u32[blocks]: last row of the block
inline constexpr const char* block_offset = "lexical.block_offset";  // u64[blocks]: into postings
// u32[blocks + 1] into pairs of u32 (tf, length): no posting of the block has both a higher tf and
// a smaller length than a pair
inline constexpr const char* impact_offset = "lexical.impact_offset";
inline constexpr const char* impacts = "lexical.impacts";
// u8: a block is its row bits, its tf bits, packed gaps (row - previous row - 1), packed tf - 1;
// padded for the reader at the end
inline constexpr const char* postings = "lexical.postings";
}  // namespace schema

/// Where the three groups of rows end: whole passages of several sentences, passages of one,
/// sentences.
struct Parts {
  std::uint64_t multi_sentence = 0;  // M
  std::uint64_t passages = 0;        // P
  std::uint64_t rows = 0;            // R
  std::size_t of(std::uint64_t row) const {
    return row < multi_sentence ? 0 : row < passages ? 1 : 2;
  }
  std::uint64_t begin(std::size_t part) const {
    return part == 0 ? 0 : part == 1 ? multi_sentence : passages;
  }
  std::uint64_t end(std::size_t part) const {
    return part == 0 ? multi_sentence : part == 1 ? passages : rows;
  }
};

struct Posting {
  std::uint32_t row;
  std::uint32_t frequency;
};

/// The sections, owned; sections() borrows from it.
struct Sections {
  std::vector<std::uint64_t> counts, block_offset;
  std::vector<std::uint32_t> row_length, term_offset, term_frequency, term_block, block_last,
      impact_offset, impacts;
  std::vector<std::uint8_t> term_bytes, postings;
  std::vector<SectionData> sections() const;
};

class PostingsWriter {
 public:
  PostingsWriter(const Parts& parts, std::vector<std::uint32_t> row_length);
  /// Terms come in ascending order of bytes; postings ascend by row and are not empty.
  void term(std::string_view bytes, std::span<const Posting> postings);
  Sections finish();

 private:
  void block(std::span<const Posting> postings, std::uint32_t before);
  void impacts(std::span<const Posting> postings);
  Parts parts_;
  Sections out_;
  std::uint64_t written_ = 0;
};

}  // namespace asof::lexical
