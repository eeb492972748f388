// Opening and verification of segment files. Header and table are validated before use.
#include "index/segment/segment.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "core/checksum.hpp"
#include "core/mapped_file.hpp"
#include "core/once.hpp"
#include "core/path_text.hpp"
#include "index/rows/block_lengths.hpp"
#include "index/rows/clock_counts.hpp"
#include "index/rows/counted_rows.hpp"
#include "index/segment/segment_writer.hpp"

namespace asof {
namespace {

constexpr const char* remedy = " Restore the file from a backup, or index the corpus again.";

[[noreturn]] void corrupt(const std::filesystem::path& path, const std::string& expected,
                          const std::string& received) {
  throw Error("ERR_CORPUS_CORRUPT", "Expected " + expected + " in the segment " + text_of(path) +
                                        ", found " + received + "." + remedy);
}

// Magic, checksum, version and length, to distinguish foreign, newer and damaged files.
layout::Header checked_header(const MappedFile& file) {
  const auto bytes = file.bytes();
  const std::size_t seen = std::min(bytes.size(), sizeof layout::magic);
  if (seen > 0 && std::memcmp(bytes.data(), layout::magic, seen) != 0) {
    throw Error("ERR_CORPUS_FOREIGN", "Expected a segment file of asof's at " +
                                          text_of(file.path()) +
                                          ", found another kind of file. Check the path.");
  }
  if (bytes.size() < sizeof(layout::Header))
    corrupt(file.path(), "a header of 64 bytes",
            "a file of " + std::to_string(bytes.size()) + " bytes");
  layout::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::uint32_t checksum = crc32c(&header, offsetof(layout::Header, header_checksum));
  if (checksum != header.header_checksum)
    corrupt(file.path(), "the header's checksum " + hexadecimal(header.header_checksum),
            hexadecimal(checksum));
  if (header.version > layout::version) {
    throw Error("ERR_CORPUS_NEWER",
                "Expected a segment of format version " + std::to_string(layout::version) +
                    " or older at " + text_of(file.path()) + ", found version " +
                    std::to_string(header.version) + ". Upgrade asof to read it.");
  }
  if (header.file_bytes != bytes.size())
    corrupt(file.path(), std::to_string(header.file_bytes) + " bytes",
            std::to_string(bytes.size()) + " bytes");
  return header;
}

/// The entry of a section that begins at `from` or later.
SectionInfo checked_entry(const layout::Entry& entry, std::uint64_t from,
                          const layout::Header& header, const std::filesystem::path& path) {
  const auto known = entry.element >= static_cast<std::uint32_t>(Element::u8) &&
                     entry.element <= static_cast<std::uint32_t>(Element::f64);
  const bool named = entry.name[0] != '\0' && entry.name[sizeof entry.name - 1] == '\0';
  const Element element = static_cast<Element>(entry.element);
  const bool inside = known && entry.offset % layout::alignment == 0 && entry.offset >= from &&
                      entry.offset <= header.table_offset &&
                      entry.count <= (header.table_offset - entry.offset) / element_bytes(element);
  if (!known || !named || !inside)
    corrupt(path, "a table of sections that lie one after another in the file",
            "an entry that does not");
  return {entry.name, element, entry.offset, entry.count};
}

std::span<const std::byte> bytes_of(const MappedFile& file, const SectionInfo& section) {
  return file.bytes().subspan(section.offset, section.count * element_bytes(section.element));
}

/// Sections and their checksums.
struct Table {
  std::vector<SectionInfo> sections;
  std::deque<BlockChecksums> checksums;
};

Table checked_table(const MappedFile& file, const layout::Header& header) {
  const std::uint64_t bytes = std::uint64_t{header.sections} * sizeof(layout::Entry);
  const bool placed =
      header.sections <= layout::max_sections && header.table_offset % layout::alignment == 0 &&
      header.table_offset >= layout::alignment && header.table_offset <= header.file_bytes &&
      bytes <= header.file_bytes - header.table_offset;
  if (!placed) corrupt(file.path(), "a table of sections in the file", "a header that places none");
  const std::byte* table = file.bytes().data() + header.table_offset;
  const std::uint32_t checksum = crc32c(table, bytes);
  if (checksum != header.table_checksum)
    corrupt(file.path(), "the table's checksum " + hexadecimal(header.table_checksum),
            hexadecimal(checksum));
  const bool blockwise = header.version > 1;
  const std::uint64_t block_bytes = blockwise ? checksum_block_bytes : unlimited_block_bytes;
  Table found;
  std::uint64_t end = sizeof header, checksums_at = header.table_offset + bytes;
  for (std::uint32_t i = 0; i < header.sections; ++i) {
    const std::byte* at = table + i * sizeof(layout::Entry);
    layout::Entry entry;
    std::memcpy(&entry, at, sizeof entry);
    found.sections.push_back(checked_entry(entry, end, header, file.path()));
    const auto section = bytes_of(file, found.sections.back());
    const std::uint64_t blocks = checksum_blocks(section.size(), block_bytes);
    const std::byte* checksums = at + offsetof(layout::Entry, checksum);
    if (blockwise) {
      checksums = file.bytes().data() + checksums_at;
      checksums_at += blocks * sizeof entry.checksum;
    } else {
      entry.checksum = crc32c(checksums, blocks * sizeof entry.checksum);
    }
    found.checksums.emplace_back(
        ChecksummedSection{&file, entry.name, section, checksums, entry.checksum, block_bytes});
    end = found.sections.back().offset + section.size();
  }
  if (checksums_at != header.file_bytes)
    corrupt(file.path(), "a table of sections and their checksums at the end",
            "more or less than that");
  return found;
}

}  // namespace

std::size_t element_bytes(Element element) {
  switch (element) {
    case Element::u8:
    case Element::i8:
      return 1;
    case Element::u16:
      return 2;
    case Element::i32:
    case Element::u32:
    case Element::f32:
      return 4;
    case Element::i64:
    case Element::u64:
    case Element::f64:
      return 8;
  }
  throw Error("ERR_INTERNAL", "A fault of asof's own: an element type that is none.");
}

struct Segment::Mapping {
  Mapping(const std::filesystem::path& path, bool temporary) : file(path, temporary) {
    try {
      const layout::Header header = checked_header(file);
      checksum = header.header_checksum;
      table = checked_table(file, header);
    } catch (const Error&) {
      file.throw_if_faulted();
      throw;
    }
    file.throw_if_faulted();
    for (std::size_t i = 0; i < table.sections.size(); ++i)
      by_name.emplace(table.sections[i].name, i);
    if (by_name.size() != table.sections.size())
      corrupt(path, "sections whose names differ", "a name that occurs twice");
  }
  MappedFile file;
  std::uint32_t checksum = 0;
  Table table;
  std::unordered_map<std::string, std::size_t> by_name;
  std::mutex checking;  // held by the one that checks; others wait for it
  std::atomic<bool> checked = false;
  Once measured;
  std::unique_ptr<BlockLengths> block_lengths;
  ClockCounts clock_counts;
  CountedRowsCache counted_rows;
};

Segment::Segment(std::unique_ptr<Mapping> mapping) : mapping_(std::move(mapping)) {}
Segment::~Segment() = default;

BlockLengths& Segment::block_lengths(std::size_t rows, std::size_t dimensions) const {
  mapping_->measured.run(
      [&] { mapping_->block_lengths = std::make_unique<BlockLengths>(rows, dimensions); });
  return *mapping_->block_lengths;
}

const ClockCounts& Segment::clock_counts() const {
  return mapping_->clock_counts;
}

CountedRowsCache& Segment::counted_rows() const {
  return mapping_->counted_rows;
}

std::shared_ptr<const Segment> Segment::open(const std::filesystem::path& path, bool temporary) {
  return std::shared_ptr<const Segment>(new Segment(std::make_unique<Mapping>(path, temporary)));
}

const std::filesystem::path& Segment::path() const {
  return mapping_->file.path();
}
std::uint64_t Segment::bytes() const {
  return mapping_->file.bytes().size();
}
std::uint32_t Segment::checksum() const {
  return mapping_->checksum;
}
const std::vector<SectionInfo>& Segment::sections() const {
  return mapping_->table.sections;
}
bool Segment::has(std::string_view name) const {
  return mapping_->by_name.contains(std::string(name));
}

void Segment::throw_if_faulted() const {
  mapping_->file.throw_if_faulted();
}

Segment::Found Segment::find(std::string_view name, Element element) const {
  throw_if_faulted();
  const auto entry = mapping_->by_name.find(std::string(name));
  if (entry == mapping_->by_name.end())
    corrupt(path(), "the section " + std::string(name), "none of that name");
  const SectionInfo& section = mapping_->table.sections[entry->second];
  if (section.element != element)
    corrupt(path(), "the section " + std::string(name) + " to be of another element type",
            "type " + std::to_string(static_cast<std::uint32_t>(section.element)));
  return {bytes_of(mapping_->file, section).data(), section.count,
          &mapping_->table.checksums[entry->second]};
}

void Segment::check(const Cancel& cancel) const {
  if (mapping_->checked.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mapping_->checking);
  const bool panels = has(schema::panel_rows);
  for (std::size_t i = 0; i < sections().size(); ++i) {
    const std::string& name = sections()[i].name;
    if (name.starts_with(schema::passages) || (panels && name == schema::vectors)) continue;
    mapping_->table.checksums[i].verify_all(cancel);
  }
  mapping_->checked.store(true, std::memory_order_relaxed);
}

void Segment::check_all(const Cancel& cancel) const {
  for (const BlockChecksums& each : mapping_->table.checksums) each.verify_all(cancel);
}

void Segment::verify(const Cancel& cancel) const {
  cancel.throw_if_requested();
  for (const BlockChecksums& each : mapping_->table.checksums) each.verify_all(cancel, true);
  throw_if_faulted();
}

}  // namespace asof
