// Memory-mapped file of a static encoder: a vocabulary, one int8 row and one f32 scale per token.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "core/mapped_file.hpp"
#include "encoder/wordpiece.hpp"

// Layout, little-endian, every section at a multiple of 64 bytes, gaps zero:
//    0  8 bytes "ASOFENC" 0
//    8  u32 version (1)
//   12  u32 CRC32C of the bytes from 16 to the end
//   16  u64 length of the file
//   24  u32 tokens V
//   28  u32 dimensions d
//   32  u32 length of the header
//   36  u32 length of the vocabulary
//   40  f32 saturation s, 0 < s <= 1, then 20 zeros
//   64  header: JSON (id, teacher, licence, ...)
//       then the vocabulary (a line per token), f32 scales [V], int8 rows [V][d]

namespace asof {

class StaticModel {
 public:
  /// Opens a model; calls with the same path share it. Reads the whole file once, to check it:
  /// ERR_NOT_FOUND, ERR_CORPUS_FOREIGN (no file of this kind), ERR_CORPUS_NEWER (a later version),
  /// ERR_CORPUS_CORRUPT (truncated, a checksum that does not match, a vocabulary that cannot be).
  static std::shared_ptr<const StaticModel> open(const std::filesystem::path& path);

  explicit StaticModel(const std::filesystem::path& path);

  /// Throws if pages of the file could not be read: see core/page_guard.hpp.
  void throw_if_faulted() const { file_.throw_if_faulted(); }
  std::string_view header() const noexcept { return header_; }
  const Vocabulary& vocabulary() const noexcept { return *vocabulary_; }
  std::size_t dimensions() const noexcept { return dimensions_; }
  std::span<const float> scales() const noexcept { return scales_; }
  /// A token that occurs n times in a text counts n^saturation times.
  float saturation() const noexcept { return saturation_; }
  /// How rare a word in small letters is in English: about 1 ("the") to 19, and 18 of one that is
  /// no token. It is the length of its vector, since the encoder weighs tokens by their rarity.
  double rarity(std::u16string_view word) const;
  const std::int8_t* row(std::uint32_t token) const noexcept { return rows_ + token * dimensions_; }

 private:
  MappedFile file_;
  std::string_view header_;
  std::unique_ptr<const Vocabulary> vocabulary_;
  std::size_t dimensions_ = 0;
  float saturation_ = 1;
  std::span<const float> scales_;
  const std::int8_t* rows_ = nullptr;
};

}  // namespace asof
