// CRC32C by instruction (SSE4.2, ARMv8 CRC extension) and by slicing-by-8 tables.
#include "core/checksum.hpp"

#include <array>
#include <cstring>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

namespace asof {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is the checksum of byte b followed by k zero bytes: eight bytes are folded by eight
// look-ups.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0x82F63B78u : 0u);
    tables[0][byte] = value;
  }
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    for (std::size_t k = 1; k < 8; ++k)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFF];
  }
  return tables;
}

constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32c_portable(const void* data, std::size_t bytes, std::uint32_t before) noexcept {
  const auto* next = static_cast<const unsigned char*>(data);
  std::uint32_t crc = ~before;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    // Read byte by byte, so that the order of bytes in a word of this machine does not matter.
    const std::uint32_t low = crc ^ (std::uint32_t{next[0]} | std::uint32_t{next[1]} << 8 |
                                     std::uint32_t{next[2]} << 16 | std::uint32_t{next[3]} << 24);
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^
          tables[4][low >> 24] ^ tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^
          tables[0][next[7]];
  }
  for (; bytes > 0; --bytes, ++next) crc = (crc >> 8) ^ tables[0][(crc ^ *next) & 0xFF];
  return ~crc;
}

std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t before) noexcept {
#if defined(__SSE4_2__) || defined(__ARM_FEATURE_CRC32)
  const auto* next = static_cast<const unsigned char*>(data);
  std::uint32_t crc = ~before;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    std::uint64_t word;
    std::memcpy(&word, next, 8);
#if defined(__SSE4_2__)
    crc = static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
#else
    crc = __crc32cd(crc, word);
#endif
  }
  for (; bytes > 0; --bytes, ++next) {
#if defined(__SSE4_2__)
    crc = _mm_crc32_u8(crc, *next);
#else
    crc = __crc32cb(crc, *next);
#endif
  }
  return ~crc;
#else
  return crc32c_portable(data, bytes, before);
#endif
}

}  // namespace asof
