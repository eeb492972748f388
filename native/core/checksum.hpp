// CRC32C (Castagnoli, reflected polynomial 0x82F63B78): checksum of segment files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace asof {

/// CRC32C of `bytes` bytes; `before` is the checksum of what came before them (0 at the start), so
/// that crc32c(b, crc32c(a)) is the checksum of a followed by b. Uses the processor's instruction
/// where it was compiled for one.
std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0) noexcept;

/// The same by tables, on every machine: what the fast path is tested against.
std::uint32_t crc32c_portable(const void* data, std::size_t bytes,
                              std::uint32_t before = 0) noexcept;

}  // namespace asof
