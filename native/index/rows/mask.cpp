// Compilation of masks to ticks, and their bitmaps.
#include "index/rows/mask.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace asof {
namespace {

// The reserved past and future stand in where a bound lies beyond the column's range, where
// clamping would touch a value.
template <typename Tick>
Tick at_most(double milliseconds, const ClockEncoding& encoding) {
  Tick tick = floor_tick<Tick>(milliseconds, encoding);
  return milliseconds_of(tick, encoding) > milliseconds ? ticks<Tick>::past : tick;
}

template <typename Tick>
Tick at_least(double milliseconds, const ClockEncoding& encoding) {
  Tick tick = ceil_tick<Tick>(milliseconds, encoding);
  return milliseconds_of(tick, encoding) < milliseconds ? ticks<Tick>::future : tick;
}

template <typename Tick>
temporal::WindowTicks<Tick> window_ticks(temporal::Window window, const ClockEncoding& encoding) {
  window = opened(window);
  return {at_most<Tick>(window.start, encoding), at_least<Tick>(window.start, encoding),
          at_most<Tick>(window.end, encoding), at_least<Tick>(window.end, encoding),
          at_least<Tick>(window.end - 1, encoding)};
}

template <typename Tick>
void clear_late(const temporal::ClockView<Tick>& clock, Tick until, std::size_t begin,
                std::size_t count, BlockBits& bits) {
  if (clock.start.empty()) return;
  if (!clock.blocks.empty()) {
    const Tick* block = &clock.blocks[2 * (begin / block_rows)];
    if (block[0] > block[1] || block[1] <= until)
      return;  // nothing in the block is dated, or nothing late
  }
  const Tick* value = clock.start.data() + begin;
  for (std::size_t word = 0; word * 64 < count; ++word) {
    std::size_t length = std::min<std::size_t>(64, count - word * 64);
    std::uint64_t passing = 0;
    for (std::size_t i = 0; i < length; ++i)
      passing |= std::uint64_t(value[word * 64 + i] <= until) << i;  // absent is the least tick
    bits[word] &= passing;
  }
}

/// Every relation needs a common instant, so a block that ends before or starts after the window
/// has no row of it.
template <typename Tick>
bool may_meet(const temporal::ClockView<Tick>& clock, const temporal::WindowTicks<Tick>& window,
              std::size_t row) {
  if (clock.blocks.empty()) return true;
  const Tick* block = &clock.blocks[2 * (row / block_rows)];
  return block[0] <= block[1] && block[0] < window.end_ceil && block[1] >= window.start_ceil;
}

/// Where the times of rows begin that have one interval each, whose ticks mean what they say;
/// `none` for others.
template <typename Tick>
std::size_t one_each(const temporal::ClockView<Tick>& clock, std::size_t begin, std::size_t count) {
  constexpr std::size_t none = ~std::size_t{0};
  if (clock.offset.empty() || clock.end.empty()) return none;
  const std::uint32_t* offsets = &clock.offset[begin];
  std::uint32_t other = 0;
  for (std::size_t i = 0; i <= count; ++i)
    other |= offsets[i] ^ (offsets[0] + static_cast<std::uint32_t>(i));
  return other == 0 && offsets[0] + count <= clock.start.size() ? offsets[0] : none;
}

/// Bit i: the interval i of at most 64 satisfies the window. Without branches, for whole vectors of
/// them.
template <temporal::Relation relation, typename Tick>
std::uint64_t satisfying(const temporal::WindowTicks<Tick>& window, const Tick* starts,
                         const Tick* ends, std::size_t count) {
  const temporal::WindowTicks<Tick> own = window;
  std::uint8_t hits[64] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const Tick start = starts[i], end = ends[i];
    bool instant, interval;
    if constexpr (relation == temporal::Relation::contains) {
      instant = (start <= own.start_floor) & (start >= own.last_ceil);
      interval = (start <= own.start_floor) & (end >= own.end_ceil);
    } else {
      instant = (start >= own.start_ceil) & (start < own.end_ceil);
      if constexpr (relation == temporal::Relation::overlaps)
        interval = (start < own.end_ceil) & (end > own.start_floor);
      else
        interval = (start >= own.start_ceil) & (end <= own.end_floor);
    }
    hits[i] = static_cast<std::uint8_t>(start == end ? instant : interval);
  }
  std::uint64_t bits = 0;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    std::uint64_t eight;
    std::memcpy(&eight, hits + 8 * byte, sizeof(eight));
    bits |= (eight * 0x0102040810204080) >> 56 << (8 * byte);
  }
  return bits;
}

template <typename Tick>
std::uint64_t satisfying(temporal::Relation relation, const temporal::WindowTicks<Tick>& window,
                         const Tick* starts, const Tick* ends, std::size_t count) {
  switch (relation) {
    case temporal::Relation::overlaps:
      return satisfying<temporal::Relation::overlaps>(window, starts, ends, count);
    case temporal::Relation::within:
      return satisfying<temporal::Relation::within>(window, starts, ends, count);
    case temporal::Relation::contains:
      return satisfying<temporal::Relation::contains>(window, starts, ends, count);
  }
  return 0;
}

template <typename Tick>
void clear_outside(const temporal::ClockView<Tick>& clock, const SegmentMask& mask,
                   std::size_t begin, std::size_t count, BlockBits& bits) {
  const temporal::Relation relation = mask.relation;
  const auto& window = std::get<temporal::WindowTicks<Tick>>(mask.window);
  if (!may_meet(clock, window, begin)) return bits.fill(0);
  if (const std::size_t first = one_each(clock, begin, count); first != ~std::size_t{0}) {
    for (std::size_t i = 0; i < count; i += 64) {
      bits[i / 64] &= satisfying(relation, window, &clock.start[first + i], &clock.end[first + i],
                                 std::min<std::size_t>(64, count - i));
    }
    return;
  }
  for (std::size_t word = 0; word < block_words; ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      std::size_t bit = static_cast<std::size_t>(std::countr_zero(left));
      bool hit = false;
      each_time(clock, begin + word * 64 + bit, [&](std::size_t, Tick start, Tick end) {
        return hit = satisfies(relation, window, start, end);
      });
      if (!hit) bits[word] &= ~(std::uint64_t(1) << bit);
    }
  }
}

}  // namespace

SegmentMask compile_mask(const temporal::Mask& mask, const FlatRows& rows) {
  SegmentMask compiled;
  compiled.has_published = mask.published_until < infinity;
  compiled.has_window = mask.has_window;
  compiled.relation = mask.relation;
  compiled.clock = mask.clock;
  std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
        compiled.published_until = at_most<Tick>(mask.published_until, clock.encoding);
      },
      rows.published);
  std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
        compiled.window = window_ticks<Tick>(mask.window, clock.encoding);
      },
      column_of(rows, mask.clock));
  return compiled;
}

BlockBits visible_passages(const VisibleRows& segment, std::size_t begin, std::size_t count) {
  BlockBits bits{};
  if (!segment.may_show(begin / block_rows)) return bits;
  if (!segment.visible.empty() && count > 0) {
    // Of a corpus searched for a few passages, most blocks show none: their rows' passages lie
    // close together.
    std::uint32_t least = segment.rows.row_passage[begin], most = least;
    for (const std::uint32_t passage : segment.rows.row_passage.subspan(begin, count)) {
      least = std::min(least, passage);
      most = std::max(most, passage);
    }
    const std::size_t last = std::min<std::size_t>(most / 8 + 1, segment.visible.size());
    bool some = false;
    for (std::size_t byte = least / 8; byte < last && !some; ++byte)
      some = segment.visible[byte] != 0;
    if (!some) return bits;
  }
  for (std::size_t word = 0; word * 64 < count; ++word) {
    std::size_t length = std::min<std::size_t>(64, count - word * 64);
    bits[word] = length == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << length) - 1;
    if (segment.visible.empty()) continue;
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t passage = segment.rows.row_passage[begin + word * 64 + i];
      bool shown =
          passage < segment.rows.passages && (segment.visible[passage / 8] >> (passage % 8) & 1);
      if (!shown) bits[word] &= ~(std::uint64_t(1) << i);
    }
  }
  return bits;
}

bool may_pass(const SegmentMask& mask, const FlatRows& rows, std::size_t row) {
  if (!mask.has_window) return true;
  return std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
        return may_meet(clock, std::get<temporal::WindowTicks<Tick>>(mask.window), row);
      },
      column_of(rows, mask.clock));
}

void apply_mask(const SegmentMask& mask, const FlatRows& rows, std::size_t begin, std::size_t count,
                BlockBits& bits) {
  if (mask.has_published) {
    std::visit(
        [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
          clear_late(clock, std::get<Tick>(mask.published_until), begin, count, bits);
        },
        rows.published);
  }
  if (mask.has_window) {
    std::visit(
        [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
          clear_outside(clock, mask, begin, count, bits);
        },
        column_of(rows, mask.clock));
  }
}

std::int32_t masking_mention(const SegmentMask& mask, const FlatRows& rows, std::size_t row) {
  if (!mask.has_window || mask.clock != temporal::Clock::content) return -1;
  std::int32_t mention = -1;
  std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
        each_time(clock, row, [&](std::size_t i, Tick start, Tick end) {
          if (!satisfies(mask.relation, std::get<temporal::WindowTicks<Tick>>(mask.window), start,
                         end))
            return false;
          mention = static_cast<std::int32_t>(i);
          return true;
        });
      },
      rows.content);
  return mention;
}

}  // namespace asof
