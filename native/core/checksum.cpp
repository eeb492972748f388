// CRC32C by instruction (SSE4.2, ARMv8 CRC extension), three streams at a time, and by slicing-by-8
// tables.
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

constexpr std::uint32_t polynomial = 0x82F63B78u;

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is the checksum of byte b followed by k zero bytes: eight bytes are folded by eight
// look-ups.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? polynomial : 0u);
    tables[0][byte] = value;
  }
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    for (std::size_t k = 1; k < 8; ++k)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xFF];
  }
  return tables;
}

constexpr Tables tables = make_tables();

#if defined(__SSE4_2__) || defined(__ARM_FEATURE_CRC32)

// The instruction takes three cycles, and one can start in each: three streams are computed side by
// side and joined. Four rounds leave 64 bytes of a block of 64 KiB.
constexpr std::size_t stream_bytes = 5456;

/// The product modulo the polynomial; the highest bit is the coefficient of 1.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (std::uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) ? polynomial : 0u);
  }
  return product;
}

using StreamShift = std::array<std::array<std::uint32_t, 256>, 4>;

// shift[k][b] is what becomes of byte k of a checksum, if it is b, by a stream of zeros: a product
// with x to the power of the stream's bits.
constexpr StreamShift make_stream_shift() {
  std::uint32_t power = 0x80000000u, square = 0x00800000u;  // 1 and x^8
  for (std::size_t left = stream_bytes; left > 0; left >>= 1) {
    if ((left & 1) != 0) power = multiply(power, square);
    square = multiply(square, square);
  }
  StreamShift shift{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    for (std::uint32_t k = 0; k < 4; ++k) shift[k][byte] = multiply(power, byte << 8 * k);
  }
  return shift;
}

constexpr StreamShift stream_shift = make_stream_shift();

std::uint32_t shifted(std::uint32_t crc) {
  return stream_shift[0][crc & 0xFF] ^ stream_shift[1][crc >> 8 & 0xFF] ^
         stream_shift[2][crc >> 16 & 0xFF] ^ stream_shift[3][crc >> 24];
}

std::uint32_t step(std::uint32_t crc, const unsigned char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, 8);
#if defined(__SSE4_2__)
  return static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
#else
  return __crc32cd(crc, word);
#endif
}

std::uint32_t step_byte(std::uint32_t crc, unsigned char byte) {
#if defined(__SSE4_2__)
  return _mm_crc32_u8(crc, byte);
#else
  return __crc32cb(crc, byte);
#endif
}

#endif

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
  for (; bytes >= 3 * stream_bytes; bytes -= 3 * stream_bytes, next += 3 * stream_bytes) {
    std::uint32_t second = 0, third = 0;
    for (std::size_t at = 0; at < stream_bytes; at += 8) {
      crc = step(crc, next + at);
      second = step(second, next + stream_bytes + at);
      third = step(third, next + 2 * stream_bytes + at);
    }
    crc = shifted(shifted(crc) ^ second) ^ third;
  }
  for (; bytes >= 8; bytes -= 8, next += 8) crc = step(crc, next);
  for (; bytes > 0; --bytes, ++next) crc = step_byte(crc, *next);
  return ~crc;
#else
  return crc32c_portable(data, bytes, before);
#endif
}

}  // namespace asof
