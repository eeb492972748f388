// Streaming writer of segment files.
#include "index/segment/segment_writer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/checksum.hpp"

namespace asof {

static_assert(std::endian::native == std::endian::little,
              "segment files are little-endian and are mapped as they are");

namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;

}  // namespace

SegmentWriter::SegmentWriter(OutputFile& file, Cancel cancel)
    : file_(file), cancel_(std::move(cancel)) {
  buffer_.reserve(piece_bytes);
  const layout::Header blank{};
  write(&blank, sizeof blank);
}

void SegmentWriter::flush() {
  file_.write(buffer_.data(), buffer_.size(), position_ - buffer_.size());
  buffer_.clear();
}

void SegmentWriter::write(const void* data, std::uint64_t bytes) {
  if (buffer_.size() + bytes > piece_bytes) flush();
  if (bytes > piece_bytes)
    file_.write(data, bytes, position_);
  else
    buffer_.insert(buffer_.end(), static_cast<const char*>(data),
                   static_cast<const char*>(data) + bytes);
  position_ += bytes;
}

void SegmentWriter::pad() {
  static constexpr char zeros[layout::alignment] = {};
  write(zeros, (layout::alignment - position_ % layout::alignment) % layout::alignment);
}

void SegmentWriter::begin(std::string_view name, Element element) {
  layout::Entry entry{};
  const bool known = std::any_of(entries_.begin(), entries_.end(),
                                 [&](const layout::Entry& each) { return name == each.name; });
  if (name.empty() || name.size() >= sizeof entry.name || known ||
      name.find('\0') != std::string_view::npos || entries_.size() >= layout::max_sections) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected section names that differ, of 1 to 39 bytes, received '" +
                    std::string(name) + "'.");
  }
  std::copy(name.begin(), name.end(), entry.name);
  entry.element = static_cast<std::uint32_t>(element);
  element_bytes_ = element_bytes(element);
  pad();
  entry.offset = position_;
  block_bytes_ = 0;
  entries_.push_back(entry);
}

void SegmentWriter::append(const void* data, std::uint64_t count) {
  layout::Entry& entry = entries_.back();
  const char* next = static_cast<const char*>(data);
  entry.count += count;
  for (std::uint64_t left = count * element_bytes_; left > 0;) {
    const std::uint64_t piece = std::min(left, piece_bytes);
    cancel_.throw_if_requested();
    add_checksums(next, piece);
    write(next, piece);
    next += piece;
    left -= piece;
  }
}

void SegmentWriter::add_checksums(const char* data, std::uint64_t bytes) {
  while (bytes > 0) {
    if (block_bytes_ == 0) checksums_.push_back(0);
    const std::uint64_t some = std::min(bytes, checksum_block_bytes - block_bytes_);
    checksums_.back() = crc32c(data, some, checksums_.back());
    block_bytes_ = (block_bytes_ + some) % checksum_block_bytes;
    data += some;
    bytes -= some;
  }
}

SegmentWriter::SectionRange SegmentWriter::section_range(std::string_view name) {
  flush();
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const layout::Entry& each) { return name == each.name; });
  if (entry == entries_.end())
    throw Error("ERR_INTERNAL",
                "A fault of asof's own: a section is read back that was not written.");
  return {entry->offset, asof::element_bytes(static_cast<Element>(entry->element))};
}

void SegmentWriter::read_back(const SectionRange& section, std::uint64_t from, std::uint64_t count,
                              void* out) {
  file_.read(out, count * section.element_bytes, section.offset + from * section.element_bytes);
}

void SegmentWriter::finish() {
  pad();
  const std::uint32_t* checksums = checksums_.data();
  for (layout::Entry& entry : entries_) {
    const std::uint64_t blocks =
        checksum_blocks(entry.count * asof::element_bytes(static_cast<Element>(entry.element)));
    entry.checksum = crc32c(checksums, blocks * sizeof *checksums);
    checksums += blocks;
  }
  layout::Header header{};
  std::copy(std::begin(layout::magic), std::end(layout::magic), header.magic);
  header.version = layout::version;
  header.sections = static_cast<std::uint32_t>(entries_.size());
  header.table_offset = position_;
  const std::uint64_t table_bytes = entries_.size() * sizeof(layout::Entry);
  header.table_checksum = crc32c(entries_.data(), table_bytes);
  const std::uint64_t checksum_bytes = checksums_.size() * sizeof *checksums;
  header.file_bytes = position_ + table_bytes + checksum_bytes;
  header.header_checksum = crc32c(&header, offsetof(layout::Header, header_checksum));
  write(entries_.data(), table_bytes);
  write(checksums_.data(), checksum_bytes);
  flush();
  cancel_.throw_if_requested();
  file_.write(&header, sizeof header, 0);
}

void write_segment(OutputFile& file, std::span<const SectionData> sections, const Cancel& cancel) {
  SegmentWriter writer(file, cancel);
  for (const SectionData& section : sections) {
    writer.begin(section.name, section.element);
    writer.append(section.data, section.count);
  }
  writer.finish();
}

}  // namespace asof
