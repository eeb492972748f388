// Example order of a training run, a function of seed and step alone, so that a resumed run sees
// the same batches. Random numbers are SplitMix64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace asof::training {

/// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}
  std::uint64_t next();
  /// A whole number below `count` (> 0): the high half of a product, whose bias is below 2^-32 for
  /// counts of 32 bits.
  std::uint64_t below(std::uint64_t count);
  /// In [0, 1), a multiple of 2^-24.
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

 private:
  std::uint64_t state_;
};

/// Batches of several groups of examples: each group has an equal share of every batch (the first
/// ones get the remainder), in an order that is shuffled anew in every epoch.
class Order {
 public:
  /// Group g is the `sizes[g]` (> 0) examples that follow those of the groups before.
  Order(std::uint64_t seed, std::vector<std::uint32_t> sizes, std::size_t batch);
  /// The examples of step `step`, from 0: group by group.
  void batch(std::uint64_t step, std::span<std::uint32_t> out);

 private:
  struct Group {
    std::uint32_t first;
    std::uint32_t size;
    std::size_t share;
    std::uint64_t epoch;                  // of the permutation
    std::vector<std::uint32_t> shuffled;  // empty before the first
  };
  void shuffle(std::size_t group, std::uint64_t epoch);
  std::uint64_t seed_;
  std::vector<Group> groups_;
};

}  // namespace asof::training
