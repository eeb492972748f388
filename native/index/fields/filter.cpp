// Evaluation of filters to bitmaps.
#include "index/fields/filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "index/rows/block.hpp"

namespace asof::fields {
namespace {

constexpr std::size_t blocks_per_task = 64;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A bit a passage, in words.
class Bits {
 public:
  explicit Bits(std::size_t passages, bool value = false)
      : passages_(passages), words_((passages + 63) / 64, value ? ~std::uint64_t{0} : 0) {
    trim();
  }
  /// Of a passage that a file names.
  void set(std::size_t passage) {
    if (passage >= passages_)
      throw Error("ERR_CORPUS_CORRUPT",
                  "Expected a field to name passages of its segment, found another. Restore the "
                  "corpus from a backup, or run asof repair.");
    words_[passage / 64] |= std::uint64_t{1} << (passage % 64);
  }
  std::uint64_t& word(std::size_t at) { return words_[at]; }
  void operator&=(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void operator|=(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void flip() {
    for (std::uint64_t& word : words_) word = ~word;
    trim();
  }
  std::vector<std::uint8_t> bytes() const {
    static_assert(std::endian::native == std::endian::little);
    const auto* first = reinterpret_cast<const std::uint8_t*>(words_.data());
    return {first, first + (passages_ + 7) / 8};
  }

 private:
  /// No bits beyond the last passage.
  void trim() {
    if (passages_ % 64 != 0) words_.back() &= (std::uint64_t{1} << (passages_ % 64)) - 1;
  }
  std::size_t passages_;
  std::vector<std::uint64_t> words_;
};

[[noreturn]] void refuse(std::int32_t field, const char* expected) {
  throw Error("ERR_INVALID_ARGUMENT", "Expected field " + std::to_string(field) + " to be " +
                                          expected + ", received another.");
}

/// Which numbers a condition takes.
struct Wanted {
  std::span<const double> numbers;  // ascending; or, if there are none,
  double from, to;
  bool takes(double value) const {
    return value >= from && value <= to &&
           (numbers.empty() || std::binary_search(numbers.begin(), numbers.end(), value));
  }
  /// Whether a block from `low` to `high` may have one; an empty block has low > high.
  bool may_take(double low, double high) const { return low <= high && low <= to && high >= from; }
};

Wanted wanted(const Filter& filter) {
  if (filter.kind == Filter::Kind::exists)
    return {{}, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  if (filter.kind == Filter::Kind::range) return {{}, filter.from, filter.to};
  const auto& numbers = filter.numbers;
  if (numbers.empty()) return {{}, 1, 0};
  return {numbers, numbers.front(), numbers.back()};
}

/// A time of the passage that a row is; NaN where it has none.
double time_of_row(const FlatRows& rows, std::int32_t field, std::size_t row) {
  return std::visit(
      [&](const auto& clock) {
        if (field != valid_to)
          return clock.start.empty() ? no_number
                                     : milliseconds_of(clock.start[row], clock.encoding);
        return clock.end.empty() ? no_number : milliseconds_of(clock.end[row], clock.encoding) - 1;
      },
      field == published ? rows.published : rows.validity);
}

class Evaluation {
 public:
  Evaluation(const FlatRows& rows, std::span<const Column> columns, const Cancel& cancel)
      : rows_(rows), columns_(columns), cancel_(cancel) {}

  Bits of(const Filter& filter) const {
    cancel_.throw_if_requested();
    switch (filter.kind) {
      case Filter::Kind::all: {
        Bits bits(rows_.passages, true);
        for (const Filter& each : filter.of) bits &= of(each);
        return bits;
      }
      case Filter::Kind::any:
      case Filter::Kind::none: {
        Bits bits(rows_.passages);
        for (const Filter& each : filter.of) bits |= of(each);
        if (filter.kind == Filter::Kind::none) bits.flip();
        return bits;
      }
      default:
        return condition(filter);
    }
  }

 private:
  Bits condition(const Filter& filter) const {
    if (filter.field < 0) return time(filter);
    if (static_cast<std::size_t>(filter.field) >= columns_.size())
      refuse(filter.field, "one of the segment's");
    const Column& column = columns_[static_cast<std::size_t>(filter.field)];
    if (const auto* numbers = std::get_if<Numbers>(&column)) {
      if (filter.kind == Filter::Kind::keywords) refuse(filter.field, "of keywords");
      return among(*numbers, wanted(filter));
    }
    const Keywords& keywords = std::get<Keywords>(column);
    if (filter.kind == Filter::Kind::keywords) return having(keywords, filter.keywords);
    if (filter.kind != Filter::Kind::exists) refuse(filter.field, "of numbers");
    Bits bits(rows_.passages);
    for (const std::uint32_t passage : keywords.passages) bits.set(passage);
    return bits;
  }

  Bits having(const Keywords& keywords, const std::vector<std::string>& values) const {
    Bits bits(rows_.passages);
    for (const std::string& value : values) {
      std::size_t low = 0, high = keywords.size();
      while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (keywords.value(middle) < value)
          low = middle + 1;
        else
          high = middle;
      }
      if (low == keywords.size() || keywords.value(low) != value) continue;
      for (const std::uint32_t passage : keywords.passages_of(low)) bits.set(passage);
    }
    return bits;
  }

  Bits among(const Numbers& numbers, const Wanted& wanted) const {
    Bits bits(rows_.passages);
    const std::size_t blocks = numbers.blocks.size() / 2;
    parallel_for((blocks + blocks_per_task - 1) / blocks_per_task, 0,
                 [&](std::size_t task, std::size_t) {
                   cancel_.throw_if_requested();
                   const std::size_t end = std::min(blocks, (task + 1) * blocks_per_task);
                   for (std::size_t block = task * blocks_per_task; block < end; ++block)
                     if (wanted.may_take(numbers.blocks[2 * block], numbers.blocks[2 * block + 1]))
                       block_among(numbers, wanted, block, bits);
                 });
    return bits;
  }

  static void block_among(const Numbers& numbers, const Wanted& wanted, std::size_t block,
                          Bits& bits) {
    const std::size_t end = std::min(numbers.values.size(), (block + 1) * block_rows);
    for (std::size_t from = block * block_rows; from < end; from += 64) {
      const auto values = numbers.values.subspan(from, std::min<std::size_t>(64, end - from));
      bits.word(from / 64) = wanted.numbers.empty() ? in_range(values, wanted.from, wanted.to)
                                                    : in_list(values, wanted);
    }
  }

  /// Without branches, since most rows of a block differ.
  static std::uint64_t in_range(std::span<const double> values, double from, double to) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i];
      word |= static_cast<std::uint64_t>((value >= from) & (value <= to)) << i;
    }
    return word;
  }
  static std::uint64_t in_list(std::span<const double> values, const Wanted& wanted) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      word |= static_cast<std::uint64_t>(wanted.takes(values[i])) << i;
    return word;
  }

  Bits time(const Filter& filter) const {
    if (filter.kind == Filter::Kind::keywords) refuse(filter.field, "of keywords");
    Bits bits(rows_.passages);
    const Wanted wanted = fields::wanted(filter);
    for (std::size_t row = 0; row < rows_.passages; ++row) {
      if (row % block_rows == 0) cancel_.throw_if_requested();
      const double value = time_of_row(rows_, filter.field, row);
      if (std::isfinite(value) && wanted.takes(value)) bits.set(rows_.row_passage[row]);
    }
    return bits;
  }

  const FlatRows& rows_;
  std::span<const Column> columns_;
  const Cancel& cancel_;
};

}  // namespace

std::vector<std::uint8_t> passages_that_pass(const FlatRows& rows, std::span<const Column> columns,
                                             const Filter& filter, const Cancel& cancel) {
  return Evaluation(rows, columns, cancel).of(filter).bytes();
}

std::vector<double> numbers_of(const FlatRows& rows, std::span<const Column> columns,
                               std::int32_t field, std::span<const std::uint32_t> passages) {
  std::vector<double> numbers;
  numbers.reserve(passages.size());
  if (field >= 0) {
    if (static_cast<std::size_t>(field) >= columns.size()) refuse(field, "one of the segment's");
    const auto* column = std::get_if<Numbers>(&columns[static_cast<std::size_t>(field)]);
    if (column == nullptr) refuse(field, "of numbers");
    for (const std::uint32_t passage : passages) numbers.push_back(column->values[passage]);
    return numbers;
  }
  std::vector<double> all(rows.passages, no_number);
  for (std::size_t row = 0; row < rows.passages; ++row) {
    const double value = time_of_row(rows, field, row);
    const std::uint32_t passage = rows.row_passage[row];
    if (std::isfinite(value) && passage < all.size()) all[passage] = value;
  }
  for (const std::uint32_t passage : passages) numbers.push_back(all[passage]);
  return numbers;
}

}  // namespace asof::fields
