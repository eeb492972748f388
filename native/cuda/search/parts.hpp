// The segments of a search on its device, with what its queries ask of each: masks, words, forms,
// and which rows are hidden from all.
#pragma once

#include "cuda/device/letter.hpp"
#include "cuda/kernels/candidates/asked.hpp"
#include "cuda/search/resident.hpp"

namespace asof::cuda {

struct AskedPart {
  /// What is small goes with the letter, and is there once that is sent.
  AskedPart(Device& device, const SearchRequest& search, const ScopedSegment& part, Letter& letter);

  /// Bytes of a letter that a part needs, and how many things.
  static std::size_t letter_bytes(const SearchRequest& search);
  static constexpr std::size_t letter_things = 2;

  /// Which rows are hidden, where some may be: after the letter.
  void look();
  /// Adds, of each mask, the rows in scope that it shows.
  void count_visible(std::uint64_t* visible) const;
  /// Of the segment's rows the part that every mask shows at least: after look; waits for it where
  /// some may be hidden.
  double least_share() const;
  std::uint32_t scope() const {
    return columns.last_row > columns.first_row ? columns.last_row - columns.first_row : 0;
  }

  Device& device;
  DeviceSegment& segment;
  candidates::Columns columns;
  const candidates::Mask* masks;
  const candidates::Asked* asked;
  Buffer<unsigned long long> worth;  // a bit for 64 rows; none where no row is hidden

 private:
  std::vector<unsigned long long> counts() const;
  std::uint32_t mask_count_;
  Buffer<std::uint8_t> visible_;
  std::vector<Buffer<float>> words_;
  Buffer<unsigned long long> shown_;
};

}  // namespace asof::cuda
