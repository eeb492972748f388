// Segment: an immutable, checksummed, memory-mapped file of named sections, and the schema of
// corpus segments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/block_checksums.hpp"
#include "core/cancel.hpp"
#include "device/cache_key.hpp"

// File layout (little-endian): a 64-byte header (magic "ASOFSEG", format version, section count,
// file length, offset of the table, CRC32C of the table, CRC32C of the header), the sections, each
// at a multiple of 64 bytes, then the table, then the checksums of the sections' blocks: CRC32C of
// every 64 KiB of each section, end to end. A section's entry in the table has the CRC32C of its
// blocks' checksums. Opening reads the header and the table only; blocks are verified where they
// are first read. Unknown sections are ignored, so that later versions can add some; a newer format
// version is refused. In version 1 (weight files) every section is one block, whose checksum is in
// the table.

namespace asof {

class BlockLengths;
class ClockCounts;
class OutputFile;
class CountedRowsCache;

enum class Element : std::uint32_t { u8 = 1, i8, u16, i32, u32, i64, u64, f32, f64 };

std::size_t element_bytes(Element element);

struct SectionInfo {
  std::string name;  // at most 39 bytes
  Element element;
  std::uint64_t offset;  // of its first byte in the file
  std::uint64_t count;   // of elements
};

/// A section to be written. The memory is borrowed until write_segment returns.
struct SectionData {
  std::string name;
  Element element;
  const void* data;
  std::uint64_t count;
};

/// Writes the file in full; the caller syncs it.
void write_segment(OutputFile& file, std::span<const SectionData> sections, const Cancel& cancel);

class Segment {
 public:
  /// Maps the file. Throws ERR_NOT_FOUND, ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER or
  /// ERR_CORPUS_CORRUPT (with the expected and the found length or checksum). Reads O(sections)
  /// bytes.
  static std::shared_ptr<const Segment> open(const std::filesystem::path& path,
                                             bool temporary = false);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  const std::filesystem::path& path() const;
  std::uint64_t bytes() const;
  /// CRC32C of the header, which has that of the table, through which it vouches for every byte.
  std::uint32_t checksum() const;
  const std::vector<SectionInfo>& sections() const;
  bool has(std::string_view name) const;

  /// A section's elements in the mapped file; throws ERR_CORPUS_CORRUPT where it is absent or of
  /// another element type. Verified if they are one block; who reads more of them verifies all
  /// before (check) or reads them by checked().
  template <typename T>
  std::span<const T> section(std::string_view name) const;

  /// The same elements, verified where they are first read.
  template <typename T>
  CheckedSpan<T> checked(std::string_view name) const;

  /// Verifies, once, every section that searches read in full: all but the records, ids and hashes
  /// of passages and, where there are panels, the f32 vectors. Throws ERR_CORPUS_CORRUPT naming the
  /// section that differs.
  void check(const Cancel& cancel) const;
  /// Verifies, once, every section.
  void check_all(const Cancel& cancel) const;

  /// Throws ERR_CORPUS_CORRUPT if pages of the file could not be read: to be called before data is
  /// trusted. Afterwards section() throws, too.
  void throw_if_faulted() const;

  /// Reads every section, whatever was verified before; throws ERR_CORPUS_CORRUPT naming the first
  /// that differs.
  void verify(const Cancel& cancel) const;

  /// Lengths of its vectors by block, cached with it; created at the first call with its counts.
  BlockLengths& block_lengths(std::size_t rows, std::size_t dimensions) const;

  /// Counts of its clocks, cached with it.
  const ClockCounts& clock_counts() const;

  /// Counts of the rows of some of its passages, cached with it.
  CountedRowsCache& counted_rows() const;

  /// Identity of its contents for caches of derived data (device copies, joined vocabularies).
  const CacheKey& cache_key() const { return cache_key_; }

 private:
  struct Mapping;
  explicit Segment(std::unique_ptr<Mapping> mapping);
  /// A section in the mapped file.
  struct Found {
    const void* data;
    std::uint64_t count;  // of elements
    const BlockChecksums* checksums;
  };
  Found find(std::string_view name, Element element) const;
  std::unique_ptr<Mapping> mapping_;
  CacheKey cache_key_;  // ends before the mapping does
};

template <typename T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return Element::u8;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return Element::i8;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return Element::u16;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Element::i32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return Element::u32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return Element::i64;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return Element::u64;
  else if constexpr (std::is_same_v<T, float>)
    return Element::f32;
  else {
    static_assert(std::is_same_v<T, double>);
    return Element::f64;
  }
}

template <typename T>
std::span<const T> Segment::section(std::string_view name) const {
  const Found found = find(name, element_of<T>());
  const std::uint64_t bytes = found.count * sizeof(T);
  if (bytes <= checksum_block_bytes) found.checksums->verify(0, bytes);
  return {static_cast<const T*>(found.data), found.count};
}

template <typename T>
CheckedSpan<T> Segment::checked(std::string_view name) const {
  const Found found = find(name, element_of<T>());
  return {{static_cast<const T*>(found.data), found.count}, found.checksums};
}

/// The sections of a corpus segment. P passages, of which the first M in row order have several
/// sentences; R rows: [0, M) whole passages of several sentences, [M, P) passages that are one
/// sentence, [P, R) sentences of the first group, those of a passage next to each other. Rows of a
/// group are in one order of their passages: that of time where rows.of_passage says so (merged
/// segments), or of passage numbers. Local passage numbers follow ascending ids, so that comparing
/// numbers breaks ties by id; versions of a passage have one id, the oldest first.
namespace schema {
inline constexpr const char* counts =
    "counts";  // u64[8]: P, M, R, mentions, dimensions, block_rows, 0, 0
inline constexpr const char* vectors = "vectors.f32";  // f32[R * d]
inline constexpr const char* vector_counts =
    "vectors.counts";  // u64[2]: R and d, of a file of vectors alone
inline constexpr const char* panels_int8 =
    "panels.int8";  // u8: the same vectors as panels, see panels.hpp; or
inline constexpr const char* panels_int4 = "panels.int4";  // u8: of two planes, with panels.centre
inline constexpr const char* panel_centre =
    "panels.centre";  // f32 d: what int4 rows are stored relative to
inline constexpr const char* panels_bf16 = "panels.bf16";  // u8
inline constexpr const char* panel_rows =
    "panels.rows";  // f32[64 * panels]: what bounds their products
inline constexpr const char* vector_moments = "vectors.moments";  // f64: see vector_moments.hpp
inline constexpr const char* row_passage = "rows.passage";        // u32[R]
inline constexpr const char* passage_row =
    "rows.of_passage";  // u32[P]: of the whole passage; absent where rows are in order of passages
inline constexpr const char* row_sentence =
    "rows.sentence";  // u32[2 * R]: UTF-16 [start, end) in the passage's text
// Of passages; searches read none of them.
inline constexpr const char* passages = "passages.";  // the prefix of their names
inline constexpr const char* passage_record_offset =
    "passages.record_offset";  // u64[P + 1]: record p is bytes [offset[p], offset[p + 1])
inline constexpr const char* passage_record =
    "passages.record";  // u8: records as JSON in UTF-8, end to end
inline constexpr const char* passage_hash =
    "passages.hash";  // u8[16 * P]: of the records; equal ones are unchanged passages
inline constexpr const char* passage_statement_offset =
    "passages.statement_offset";  // u64[P + 1]: of passage.statement, as of records
inline constexpr const char* passage_statement =
    "passages.statement";  // u8: what ranking reads of each passage, packed
                           // (statements/packed.hpp); of those without bytes it is read from the
                           // text. Both may be absent.
inline constexpr const char* passage_id_offset =
    "passages.id_offset";  // u64[P + 1]: passage p's id is bytes [offset[p], offset[p + 1])
inline constexpr const char* passage_id =
    "passages.id";  // u8: ids in UTF-8, end to end; ascending as JavaScript compares strings
inline constexpr const char* passage_schema =
    "passages.schema";  // u8: names and types of fields and the time zone as JSON, for repair
// Clocks, one value a row; see clock_column.hpp for ticks. i32 or i64 sections.
inline constexpr const char* clock_encoding =
    "clock.encoding";  // f64[6]: unit_ms and origin_ms of published, valid, content
inline constexpr const char* published = "clock.published";      // ticks[R]
inline constexpr const char* valid_start = "clock.valid_start";  // ticks[R]
inline constexpr const char* valid_end = "clock.valid_end";      // ticks[R]
inline constexpr const char* content_offset =
    "clock.content_offset";  // u32[R + 1]: row r's intervals are [offset[r], offset[r + 1])
inline constexpr const char* content_start = "clock.content_start";  // ticks[mentions]
inline constexpr const char* content_end = "clock.content_end";      // ticks[mentions]
inline constexpr const char* content_granularity =
    "clock.content_granularity";  // u8[mentions]: index in lib/time/interval.ts
// Minimum and maximum ticks of each block of block_rows rows: [min, max] pairs over the rows that
// have the clock; a block without any has min > max. For valid and content: minimum start and
// maximum end.
inline constexpr const char* block_published = "blocks.published";
inline constexpr const char* block_valid = "blocks.valid";
inline constexpr const char* block_content = "blocks.content";
}  // namespace schema

}  // namespace asof
