// Bit packing of posting blocks: little-endian, value i at bit i * bits. Readers load eight bytes
// at once, so packing_padding readable bytes must follow.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace asof::lexical {

inline constexpr std::size_t packing_padding = 8;

inline unsigned bits_for(std::uint32_t largest) {
  return static_cast<unsigned>(std::bit_width(largest));
}

inline std::size_t packed_bytes(std::size_t count, unsigned bits) {
  return (count * bits + 7) / 8;
}

inline void pack(std::span<const std::uint32_t> values, unsigned bits,
                 std::vector<std::uint8_t>& out) {
  std::uint64_t pending = 0;
  unsigned pending_bits = 0;
  for (std::uint32_t value : values) {
    pending |= static_cast<std::uint64_t>(value) << pending_bits;
    for (pending_bits += bits; pending_bits >= 8; pending_bits -= 8, pending >>= 8)
      out.push_back(static_cast<std::uint8_t>(pending));
  }
  if (pending_bits > 0) out.push_back(static_cast<std::uint8_t>(pending));
}

/// Value `index`; bits from 0 to 32, so that shift and value fit the eight bytes.
inline std::uint32_t unpack_one(const std::uint8_t* packed, unsigned bits, std::size_t index) {
  std::size_t at = index * bits;
  std::uint64_t word;
  std::memcpy(&word, packed + at / 8, sizeof word);
  return static_cast<std::uint32_t>((word >> (at % 8)) & ((std::uint64_t{1} << bits) - 1));
}

inline void unpack(const std::uint8_t* packed, unsigned bits, std::size_t count,
                   std::uint32_t* out) {
  if (bits == 0) {
    std::memset(out, 0, count * sizeof *out);
    return;
  }
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0, at = 0; i < count; ++i, at += bits) {
    std::uint64_t word;
    std::memcpy(&word, packed + at / 8, sizeof word);
    out[i] = static_cast<std::uint32_t>((word >> (at % 8)) & mask);
  }
}

}  // namespace asof::lexical
