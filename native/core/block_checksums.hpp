// Block checksums: CRC32C of every 64 KiB of a section of a mapped file, compared where its bytes
// are first read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/cancel.hpp"
#include "core/mapped_file.hpp"

// Damage is the file's, and the file does not change: a block is compared once, and later reads of
// it cost a bit test. Concurrent readers of a block may all compare it; none reads it before.

namespace asof {

inline constexpr std::uint64_t checksum_block_bytes = 64 * 1024;
/// Of a section that is one block, whatever its length (files of version 1).
inline constexpr std::uint64_t unlimited_block_bytes = std::uint64_t{1} << 63;

/// The blocks of a section.
constexpr std::uint64_t checksum_blocks(std::uint64_t bytes,
                                        std::uint64_t block_bytes = checksum_block_bytes) {
  return bytes / block_bytes + (bytes % block_bytes != 0);
}

/// Where a section and its checksums lie in a file, which outlives them.
struct ChecksummedSection {
  const MappedFile* file;
  std::string name;
  std::span<const std::byte> bytes;
  const std::byte* checksums;  // u32 each, one a block
  std::uint32_t checksum;      // of these
  std::uint64_t block_bytes;   // a power of two
};

class BlockChecksums {
 public:
  explicit BlockChecksums(ChecksummedSection section);

  /// Compares the blocks of bytes [first, first + count) that have not been compared before. Throws
  /// ERR_CORPUS_CORRUPT, naming the section, where one differs or cannot be read.
  void verify(std::uint64_t first, std::uint64_t count) const {
    if (is_verified() || count == 0) return;
    const std::uint64_t last = (first + count - 1) >> shift_;
    for (std::uint64_t block = first >> shift_; block <= last; ++block) {
      if (!is_verified(block)) verify_block(block);
    }
  }

  /// All blocks, on the pool's threads; `again`: those that were compared before, too.
  void verify_all(const Cancel& cancel, bool again = false) const;

  bool is_verified() const noexcept {
    return verified_blocks_.load(std::memory_order_relaxed) == blocks_;
  }

 private:
  bool is_verified(std::uint64_t block) const noexcept {
    return (verified_[block / 64].load(std::memory_order_relaxed) >> (block % 64) & 1) != 0;
  }
  void verify_checksums(bool again = false) const;
  void verify_block(std::uint64_t block) const;
  [[noreturn]] void fail(const std::string& what, std::uint32_t expected,
                         std::uint32_t received) const;

  ChecksummedSection section_;
  unsigned shift_;  // log2 of block_bytes
  std::uint64_t blocks_;
  // Relaxed: they guard bytes that nobody writes.
  mutable std::atomic<bool> checksums_verified_{false};
  mutable std::atomic<std::uint64_t> verified_blocks_{0};
  std::unique_ptr<std::atomic<std::uint64_t>[]> verified_;  // a bit a block
};

/// Elements that are verified where they are first read, if they are a file's. Borrowed.
template <typename T>
class CheckedSpan {
 public:
  CheckedSpan() = default;
  CheckedSpan(std::span<const T> elements, const BlockChecksums* checksums = nullptr)
      : elements_(elements), checksums_(checksums) {}

  std::size_t size() const noexcept { return elements_.size(); }

  /// Elements [first, first + count), verified: throws as BlockChecksums::verify.
  std::span<const T> subspan(std::size_t first, std::size_t count) const {
    if (checksums_ != nullptr) checksums_->verify(first * sizeof(T), count * sizeof(T));
    return elements_.subspan(first, count);
  }
  const T& operator[](std::size_t i) const { return subspan(i, 1).front(); }

  /// Verifies all of them on the pool's threads.
  void verify_all(const Cancel& cancel) const {
    if (checksums_ != nullptr) checksums_->verify_all(cancel);
  }
  bool is_verified() const noexcept { return checksums_ == nullptr || checksums_->is_verified(); }
  /// Where element `first` lies, verified or not: to prefetch it, or for who verifies it later.
  const T* address(std::size_t first) const noexcept { return elements_.data() + first; }

 private:
  std::span<const T> elements_;
  const BlockChecksums* checksums_ = nullptr;
};

/// A checksum in eight hexadecimal digits, for messages.
std::string hexadecimal(std::uint32_t checksum);

}  // namespace asof
