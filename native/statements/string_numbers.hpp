// Numbers of distinct strings, which are kept elsewhere in the order of their numbers. A look-up
// that finds its string reads one slot and the string: those of std::unordered_map follow a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace asof::statements {

template <typename Character>
class StringNumbers {
 public:
  using View = std::basic_string_view<Character>;

  /// The number of a string, as a place in `strings`.
  template <typename Strings>
  std::optional<std::uint32_t> find(View string, const Strings& strings) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t hash = hash_of(string);
    for (std::size_t at = place(hash);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.number == none) return std::nullopt;
      if (slot.hash == hash && View(strings[slot.number]) == string) return slot.number;
    }
  }

  /// Makes place for another string: the next `add` allocates nothing.
  void reserve() {
    if (slots_.size() >= 2 * (count_ + 1)) return;
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.number != none) put(slot);
  }

  /// Gives a string that has none the next number.
  void add(View string) noexcept { put({hash_of(string), count_++}); }

  /// Takes its number from the string that was given the last one.
  void remove_last(View string) noexcept {
    count_ -= 1;
    std::size_t gap = place(hash_of(string));
    while (slots_[gap].number != count_) gap = next(gap);
    // Those that follow move up, unless their first slot is behind the gap.
    for (std::size_t at = next(gap); slots_[at].number != none; at = next(at)) {
      const std::size_t distance = (at - place(slots_[at].hash)) & (slots_.size() - 1);
      if (distance < ((at - gap) & (slots_.size() - 1))) continue;
      slots_[gap] = slots_[at];
      gap = at;
    }
    slots_[gap] = {};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Slot {
    std::uint32_t hash = 0, number = none;
  };

  static std::uint32_t hash_of(View string) {
    const std::uint64_t hash = std::hash<View>()(string);
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }
  std::size_t place(std::uint32_t hash) const { return hash & (slots_.size() - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  void put(Slot slot) noexcept {
    std::size_t at = place(slot.hash);
    while (slots_[at].number != none) at = next(at);
    slots_[at] = slot;
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::uint32_t count_ = 0;
};

}  // namespace asof::statements
