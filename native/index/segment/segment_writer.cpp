// Streaming writer of segment files.
#include "index/segment/segment_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "core/checksum.hpp"
#include "core/mapped_file.hpp"

namespace asof {

static_assert(std::endian::native == std::endian::little,
              "segment files are little-endian and are mapped as they are");

namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;

void write_all(int descriptor, const char* data, std::uint64_t bytes,
               const std::filesystem::path& path) {
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor, data, bytes);
    if (written < 0) {
      if (errno == EINTR) continue;
      throw file_error("write", path, errno);
    }
    data += written;
    bytes -= static_cast<std::uint64_t>(written);
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw file_error("open", folder, errno);
  const int result = ::fsync(descriptor);
  const int failure = errno;
  ::close(descriptor);
  // Some file systems cannot sync a folder and say so; there the rename is as durable as they make
  // it.
  if (result != 0 && failure != EINVAL && failure != ENOTSUP)
    throw file_error("sync", folder, failure);
}

}  // namespace

SegmentWriter::SegmentWriter(const std::filesystem::path& path, Cancel cancel)
    : path_(path), partial_(path.string() + ".partial"), cancel_(std::move(cancel)) {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored)) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected no file at " + path_.string() +
                    ", found one. Segments are immutable: write to another name.");
  }
  descriptor_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw file_error("create", partial_, errno);
  buffer_.reserve(piece_bytes);
  const layout::Header blank{};
  write(&blank, sizeof blank);
}

SegmentWriter::~SegmentWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(partial_.c_str());
}

void SegmentWriter::flush() {
  write_all(descriptor_, buffer_.data(), buffer_.size(), partial_);
  buffer_.clear();
}

void SegmentWriter::write(const void* data, std::uint64_t bytes) {
  if (buffer_.size() + bytes > piece_bytes) flush();
  if (bytes > piece_bytes)
    write_all(descriptor_, static_cast<const char*>(data), bytes, partial_);
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
  entries_.push_back(entry);
}

void SegmentWriter::append(const void* data, std::uint64_t count) {
  layout::Entry& entry = entries_.back();
  const char* next = static_cast<const char*>(data);
  entry.count += count;
  for (std::uint64_t left = count * element_bytes_; left > 0;) {
    const std::uint64_t piece = std::min(left, piece_bytes);
    cancel_.throw_if_requested();
    entry.checksum = crc32c(next, piece, entry.checksum);
    write(next, piece);
    next += piece;
    left -= piece;
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
  std::uint64_t at = section.offset + from * section.element_bytes,
                left = count * section.element_bytes;
  for (char* next = static_cast<char*>(out); left > 0;) {
    const ssize_t read = ::pread(descriptor_, next, left, static_cast<off_t>(at));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) throw file_error("read", partial_, read < 0 ? errno : EIO);
    next += read;
    at += static_cast<std::uint64_t>(read);
    left -= static_cast<std::uint64_t>(read);
  }
}

void SegmentWriter::finish() {
  pad();
  layout::Header header{};
  std::copy(std::begin(layout::magic), std::end(layout::magic), header.magic);
  header.version = layout::version;
  header.sections = static_cast<std::uint32_t>(entries_.size());
  header.table_offset = position_;
  const std::uint64_t table_bytes = entries_.size() * sizeof(layout::Entry);
  header.table_checksum = crc32c(entries_.data(), table_bytes);
  header.file_bytes = position_ + table_bytes;
  header.header_checksum = crc32c(&header, offsetof(layout::Header, header_checksum));
  write(entries_.data(), table_bytes);
  flush();
  cancel_.throw_if_requested();
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) throw file_error("write", partial_, errno);
  write_all(descriptor_, reinterpret_cast<const char*>(&header), sizeof header, partial_);
  if (::fsync(descriptor_) != 0) throw file_error("sync", partial_, errno);
  if (::rename(partial_.c_str(), path_.c_str()) != 0) throw file_error("rename", partial_, errno);
  ::close(descriptor_);
  descriptor_ = -1;
  sync_folder(path_.has_parent_path() ? path_.parent_path() : std::filesystem::path("."));
}

void write_segment(const std::filesystem::path& path, std::span<const SectionData> sections,
                   const Cancel& cancel) {
  SegmentWriter writer(path, cancel);
  for (const SectionData& section : sections) {
    writer.begin(section.name, section.element);
    writer.append(section.data, section.count);
  }
  writer.finish();
}

}  // namespace asof
