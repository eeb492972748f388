// Streaming segment writer, so that a merge never holds a segment in memory. Until finish() the
// file has no header, and no reader takes it for a segment.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.hpp"
#include "core/output_file.hpp"
#include "index/segment/segment.hpp"

namespace asof {

/// The layout that segment.hpp describes, as both the writer and the reader need it.
namespace layout {
inline constexpr char magic[8] = {'A', 'S', 'O', 'F', 'S', 'E', 'G', '\0'};
inline constexpr std::uint32_t version = 2;
inline constexpr std::uint64_t alignment = 64;
inline constexpr std::uint64_t max_sections = 4096;

/// The first 64 bytes. Magic, version and the header's checksum keep their places in every later
/// version.
struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t file_bytes;
  std::uint64_t table_offset;
  std::uint32_t table_checksum;
  std::uint32_t reserved[6];
  std::uint32_t header_checksum;  // of the 60 bytes before it
};
static_assert(sizeof(Header) == 64);

/// One entry of the table.
struct Entry {
  char name[40];  // zero-terminated, the rest zeros
  std::uint32_t element;
  std::uint32_t checksum;  // of its blocks' checksums
  std::uint64_t offset;
  std::uint64_t count;
};
static_assert(sizeof(Entry) == 64);
}  // namespace layout

class SegmentWriter {
 public:
  /// The file is borrowed.
  SegmentWriter(OutputFile& file, Cancel cancel);
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  /// Opens a section; the one before ends. Names are 1 to 39 bytes and differ.
  void begin(std::string_view name, Element element);
  /// Appends elements to the open section. Cancellation is checked once a mebibyte.
  void append(const void* data, std::uint64_t count);
  template <typename T>
  void append(std::span<const T> values) {
    append(values.data(), values.size());
  }
  template <typename T>
  void section(std::string_view name, std::span<const T> values) {
    begin(name, element_of<T>());
    append(values);
  }
  /// A complete section, which can be read back while the file is written.
  struct SectionRange {
    std::uint64_t offset, element_bytes;
  };
  SectionRange section_range(std::string_view name);
  void read_back(const SectionRange& section, std::uint64_t from, std::uint64_t count, void* out);

  /// Writes the table, the checksums and the header.
  void finish();

 private:
  void write(const void* data, std::uint64_t bytes);
  void flush();
  void pad();
  void add_checksums(const char* data, std::uint64_t bytes);

  OutputFile& file_;
  Cancel cancel_;
  std::uint64_t position_ = 0;  // of the file, including the buffer
  std::uint64_t element_bytes_ = 1;
  std::vector<layout::Entry> entries_;
  std::vector<std::uint32_t> checksums_;  // of the blocks of all sections
  std::uint64_t block_bytes_ = 0;         // in the open section's last block, if it is not full
  std::vector<char> buffer_;              // small appends gather here
};

}  // namespace asof
