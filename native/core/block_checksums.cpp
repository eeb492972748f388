// Comparison of blocks with their checksums.
#include "core/block_checksums.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/checksum.hpp"
#include "core/path_text.hpp"
#include "core/threads.hpp"

namespace asof {

std::string hexadecimal(std::uint32_t checksum) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", checksum);
  return text;
}

BlockChecksums::BlockChecksums(ChecksummedSection section)
    : section_(std::move(section)),
      shift_(static_cast<unsigned>(std::countr_zero(section_.block_bytes))),
      blocks_(checksum_blocks(section_.bytes.size(), section_.block_bytes)),
      verified_(std::make_unique<std::atomic<std::uint64_t>[]>((blocks_ + 63) / 64)) {}

void BlockChecksums::fail(const std::string& what, std::uint32_t expected,
                          std::uint32_t received) const {
  section_.file->throw_if_faulted();
  throw Error("ERR_CORPUS_CORRUPT",
              "Expected the checksum " + hexadecimal(expected) + " of " + what +
                  " of the section " + section_.name + " in the segment " +
                  text_of(section_.file->path()) + ", found " + hexadecimal(received) +
                  ". Restore the file from a backup, or index the corpus again.");
}

void BlockChecksums::verify_checksums(bool again) const {
  if (!again && checksums_verified_.load(std::memory_order_relaxed)) return;
  const std::uint32_t found = crc32c(section_.checksums, blocks_ * sizeof(std::uint32_t));
  if (found != section_.checksum) fail("the checksums", section_.checksum, found);
  checksums_verified_.store(true, std::memory_order_relaxed);
}

void BlockChecksums::verify_block(std::uint64_t block) const {
  verify_checksums();
  const std::uint64_t first = block << shift_;
  const auto bytes = section_.bytes.subspan(
      first, std::min<std::uint64_t>(section_.bytes.size() - first, section_.block_bytes));
  std::uint32_t expected;
  std::memcpy(&expected, section_.checksums + block * sizeof expected, sizeof expected);
  const std::uint32_t found = crc32c(bytes.data(), bytes.size());
  if (found != expected) fail("block " + std::to_string(block), expected, found);
  const std::uint64_t bit = std::uint64_t{1} << (block % 64);
  if ((verified_[block / 64].fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
    verified_blocks_.fetch_add(1, std::memory_order_relaxed);
}

void BlockChecksums::verify_all(const Cancel& cancel, bool again) const {
  constexpr std::uint64_t piece = 16;  // blocks between two looks at the cancellation
  if (!again && is_verified()) return;
  verify_checksums(again);
  parallel_for((blocks_ + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    cancel.throw_if_requested();
    for (std::uint64_t block = p * piece; block < std::min(blocks_, (p + 1) * piece); ++block) {
      if (again || !is_verified(block)) verify_block(block);
    }
  });
}

}  // namespace asof
