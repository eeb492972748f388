// Rounding and layout of bf16 and int8 rows, once for all levels, so that files hold the same bytes
// wherever they were written. Norms are summed in double and rounded up.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/quantized/queries.hpp"

namespace asof::quantized {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest_integer = 127;
constexpr float least_magnitude = 0x1p-60f;  // below it, int8 stores zeros
constexpr double longest = 0x1p60;  // beyond it, a vector is not multiplied: sums could overflow

/// Eight independent sums, so that additions do not depend on each other.
struct Squares {
  static constexpr std::size_t width = 8;
  double sums[width] = {};
  /// The length, not below the true one: d squares and sums round 2 d times at most, the root
  /// halves it.
  double length(std::size_t d) const {
    double total =
        ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    return std::sqrt(total) * (1 + static_cast<double>(d + 8) * 0x1p-52);
  }
};

float round_up(double value) {
  float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value ? std::nextafter(nearest, infinity) : nearest;
}

template <typename Value>
double length_of(std::size_t d, Value value) {
  Squares squares;
  std::size_t c = 0;
  for (; c + Squares::width <= d; c += Squares::width) {
    for (std::size_t lane = 0; lane < Squares::width; ++lane)
      squares.sums[lane] += value(c + lane) * value(c + lane);
  }
  for (; c < d; ++c) squares.sums[c % Squares::width] += value(c) * value(c);
  return squares.length(d);
}

struct Rounding {
  bool usable = true;
  float scale = 1;
  // Of the vector, its stored copy and their difference; not below the true ones.
  double length = 0, stored_length = 0, error_length = 0;
};

std::uint16_t bf16_of(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
  return (rounded & 0x7f800000) == 0 ? 0 : static_cast<std::uint16_t>(rounded >> 16);
}

float float_of(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

void round_bf16(const float* x, std::size_t d, std::uint16_t* out, Rounding& rounding) {
  for (std::size_t c = 0; c < d; ++c) out[c] = bf16_of(x[c]);
  rounding.stored_length =
      length_of(d, [&](std::size_t c) { return static_cast<double>(float_of(out[c])); });
  rounding.error_length = length_of(d, [&](std::size_t c) {
    return static_cast<double>(x[c]) - static_cast<double>(float_of(out[c]));
  });
}

void round_int8(const float* x, std::size_t d, std::int8_t* out, Rounding& rounding) {
  float largest = 0;
  for (std::size_t c = 0; c < d; ++c) largest = std::max(largest, std::fabs(x[c]));
  if (largest < least_magnitude) {
    std::memset(out, 0, d);
    rounding.scale = 0;
    rounding.error_length = rounding.length;
    return;
  }
  const float inverse = largest_integer / largest;
  for (std::size_t c = 0; c < d; ++c) {
    float value = std::rint(x[c] * inverse);
    out[c] = static_cast<std::int8_t>(value > largest_integer    ? largest_integer
                                      : value < -largest_integer ? -largest_integer
                                                                 : value);
  }
  rounding.scale = largest / largest_integer;
  const double scale =
      static_cast<double>(rounding.scale);  // times an integer of 7 bits: exact in double
  rounding.stored_length = length_of(d, [&](std::size_t c) { return scale * out[c]; });
  rounding.error_length =
      length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]) - scale * out[c]; });
}

/// `out` has room for d components.
Rounding round_row(Storage storage, const float* x, std::size_t d, std::uint8_t* out) {
  Rounding rounding;
  rounding.length = length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]); });
  rounding.usable = rounding.length <= longest;  // false for NaN
  if (!rounding.usable)
    std::memset(out, 0, d * component_bytes(storage));
  else if (storage == Storage::bf16)
    round_bf16(x, d, reinterpret_cast<std::uint16_t*>(out), rounding);
  else
    round_int8(x, d, reinterpret_cast<std::int8_t*>(out), rounding);
  return rounding;
}

/// A vector's groups, with zeros behind them, on words.
struct Padded {
  Padded(Storage storage, std::size_t d) : words(tiles(storage, d) * tile_lines) {}
  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(words.data()); }
  std::vector<std::uint32_t> words;
};

/// The two words of a group for levels that multiply floats or 16-bit integers.
void spread(Storage storage, std::uint32_t group, std::uint32_t* words) {
  if (storage == Storage::bf16) {
    words[0] = group << 16;
    words[1] = group & 0xffff0000;
    return;
  }
  auto sixteen = [&](int at) {
    return static_cast<std::uint32_t>(
        static_cast<std::uint16_t>(static_cast<std::int8_t>(group >> (8 * at))));
  };
  words[0] = sixteen(0) | sixteen(2) << 16;
  words[1] = sixteen(1) | sixteen(3) << 16;
}

}  // namespace

void pack_rows(Storage storage, const Matrix& rows, std::size_t d, std::uint8_t* out_panels,
               PanelRecord* records) {
  Padded padded(storage, d);
  std::memset(out_panels, 0, panels(rows.rows) * panel_bytes(storage, d));
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::size_t panel = row / panel_rows, place = row % panel_rows;
    PanelRecord& record = records[panel];
    if (place == 0) record = PanelRecord();
    const Rounding rounding = round_row(storage, rows.data + row * rows.stride, d, padded.bytes());
    record.scale[place] = rounding.scale;
    record.length[place] = rounding.usable ? round_up(rounding.stored_length) : 0;
    record.error[place] = rounding.usable ? round_up(rounding.error_length) : infinity;
    record.most_length = std::max(record.most_length, record.length[place]);
    record.most_error = std::max(record.most_error, record.error[place]);
    std::uint8_t* out =
        out_panels + panel * panel_bytes(storage, d) + place * sizeof(std::uint32_t);
    for (std::size_t group = 0; group < padded.words.size(); ++group)
      std::memcpy(out + group * line_bytes, &padded.words[group], sizeof(std::uint32_t));
  }
}

QueryBlock::QueryBlock(Storage storage, const float* queries, std::size_t nq, std::size_t ldq,
                       std::size_t d)
    : QueryBlock(storage, nq, d) {
  pack(queries, ldq, 0, nq);
}

QueryBlock::QueryBlock(Storage storage, std::size_t nq, std::size_t d) {
  const std::size_t tile_count = tiles(storage, d), room = panels(nq) * panel_rows;
  tiles_.resize(room * tile_count);
  words_.resize(room * tile_count * 2);
  offset_.resize(room);
  for (auto* list : {&scale_, &alpha_, &beta_, &omega_}) list->resize(room);
  view_ = {storage,
           nq,
           d,
           reinterpret_cast<const std::uint8_t*>(tiles_.data()),
           reinterpret_cast<const std::uint32_t*>(words_.data()),
           offset_.data(),
           scale_.data(),
           alpha_.data(),
           beta_.data(),
           omega_.data()};
}

void QueryBlock::pack(const float* queries, std::size_t ldq, std::size_t first, std::size_t count) {
  const Storage storage = view_.storage;
  const std::size_t d = view_.d, tile_count = tiles(storage, d);
  Padded padded(storage, d);
  const double canonical = (static_cast<double>(d) / 2 + 8) * 0x1p-24 * (1 + 0x1p-6),
               inflated = 1 + 0x1p-20;
  const double summed = storage == Storage::int8
                            ? 8 * 0x1p-24
                            : (static_cast<double>(d) + 12) * 0x1p-24 * (1 + 0x1p-6);
  for (std::size_t i = first; i < first + count; ++i) {
    const Rounding rounding = round_row(storage, queries + i * ldq, d, padded.bytes());
    scale_[i] = rounding.scale;
    omega_[i] = rounding.usable ? static_cast<float>(d + 8) * 0x1p-124f : infinity;
    if (rounding.usable) {
      alpha_[i] = round_up(rounding.length * (1 + canonical) * inflated);
      beta_[i] = round_up(
          (rounding.error_length + canonical * rounding.length + summed * rounding.stored_length) *
          inflated);
    }
    alpha_[i] =
        std::max(alpha_[i],
                 std::numeric_limits<float>::min());  // times an infinite error: infinite, not NaN
    for (std::size_t tile = 0; tile < tile_count; ++tile) {
      const std::size_t place =
          ((i / panel_rows) * tile_count + tile) * panel_rows + i % panel_rows;
      std::memcpy(tiles_[place].bytes, padded.bytes() + tile * line_bytes, line_bytes);
      std::uint32_t* words = reinterpret_cast<std::uint32_t*>(words_[2 * place].bytes);
      for (std::size_t group = 0; group < tile_lines; ++group)
        spread(storage, padded.words[tile * tile_lines + group], words + 2 * group);
    }
    if (storage == Storage::int8) {
      for (std::size_t c = 0; c < d; ++c)
        offset_[i] -= 128 * static_cast<std::int8_t>(padded.bytes()[c]);
    }
  }
}

}  // namespace asof::quantized
