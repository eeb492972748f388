// SplitMix64, and one Fisher-Yates shuffle per group and epoch.
#include "training/order.hpp"

#include <numeric>
#include <utility>

namespace asof::training {

std::uint64_t Random::next() {
  std::uint64_t mixed = (state_ += 0x9E3779B97F4A7C15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

std::uint64_t Random::below(std::uint64_t count) {
  return (next() >> 32) * count >> 32;
}

Order::Order(std::uint64_t seed, std::vector<std::uint32_t> sizes, std::size_t batch)
    : seed_(seed) {
  std::uint32_t first = 0;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    std::size_t share = batch / sizes.size() + (g < batch % sizes.size() ? 1 : 0);
    groups_.push_back({first, sizes[g], share, 0, {}});
    first += sizes[g];
  }
}

void Order::shuffle(std::size_t group, std::uint64_t epoch) {
  Group& own = groups_[group];
  if (!own.shuffled.empty() && own.epoch == epoch) return;
  own.epoch = epoch;
  own.shuffled.resize(own.size);
  std::iota(own.shuffled.begin(), own.shuffled.end(), own.first);
  Random random(Random(seed_ ^ (epoch * 64 + group + 1) * 0xD1342543DE82EF95u).next());
  for (std::uint32_t left = own.size; left > 1; --left)
    std::swap(own.shuffled[left - 1], own.shuffled[random.below(left)]);
}

void Order::batch(std::uint64_t step, std::span<std::uint32_t> out) {
  std::size_t at = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    for (std::size_t i = 0; i < group.share; ++i) {
      std::uint64_t place = step * group.share + i;
      shuffle(g, place / group.size);
      out[at++] = group.shuffled[place % group.size];
    }
  }
}

}  // namespace asof::training
