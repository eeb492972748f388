// CRC32C (Castagnoli, reflected polynomial 0x82F63B78): checksum of segment files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace asof {

/// CRC32C of `bytes` bytes; `before` is the checksum of the preceding bytes (0 at the start), so
/// that crc32c(b, crc32c(a)) is the checksum of a followed by b. Uses the processor's instruction
/// if compiled for one that has it.
std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before = 0) noexcept;

/// The same by tables, on every machine: the reference of the fast path's tests.
std::uint32_t crc32c_portable(const void* data, std::size_t bytes,
                              std::uint32_t before = 0) noexcept;

}  // namespace asof
