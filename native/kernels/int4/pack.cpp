// Rotation, centring, rounding and layout of int4 rows, once for all levels, so that files hold the
// same bytes wherever they were written.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/int4/contract.hpp"

namespace asof::int4 {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float least_magnitude = 0x1p-60f;
constexpr double longest = 0x1p60, unit = 0x1p-24, inflated = 1 + 0x1p-20, wider = 1 + 0x1p-18;

double canonical_share(std::size_t d) {
  return (static_cast<double>(d) / 2 + 8) * unit * (1 + 0x1p-6);
}

float round_up(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value ? std::nextafter(nearest, infinity) : nearest;
}

/// Not below the true length. Eight independent sums, so that additions do not depend on each
/// other.
template <typename Value>
double length_of(std::size_t d, Value value) {
  constexpr std::size_t width = 8;
  double sums[width] = {};
  std::size_t c = 0;
  for (; c + width <= d; c += width) {
    for (std::size_t lane = 0; lane < width; ++lane)
      sums[lane] += value(c + lane) * value(c + lane);
  }
  for (; c < d; ++c) sums[c % width] += value(c) * value(c);
  const double total =
      ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  return std::sqrt(total) * (1 + static_cast<double>(d + 8) * 0x1p-52);
}

/// R of the contract.
class Rotation {
 public:
  explicit Rotation(std::size_t d)
      : d_(d),
        h_(std::bit_floor(d)),
        steps_(static_cast<std::size_t>(std::countr_zero(h_))),
        signs_(2 * d),
        scale_(static_cast<float>(1 / std::sqrt(static_cast<double>(h_)))) {
    std::uint64_t state = 0x6e6962626c6573;
    for (float& sign : signs_) {
      std::uint64_t z = (state += 0x9e3779b97f4a7c15);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      sign = (z >> 63) != 0 ? -1.0f : 1.0f;
    }
  }

  void apply(float* x) const {
    block(x, signs_.data());
    if (h_ < d_) block(x + (d_ - h_), signs_.data() + d_);
  }

  /// Error bound of a rotated vector of this length.
  double error(double length) const {
    const double rounds = 1 + static_cast<double>((h_ < d_ ? 2 : 1) * (steps_ + 2));
    return rounds * unit * (1 + 0x1p-5) * length + static_cast<double>(d_) * 0x1p-146;
  }

 private:
  void block(float* x, const float* signs) const {
    for (std::size_t c = 0; c < h_; ++c) x[c] *= signs[c];
    for (std::size_t half = 1; half < h_; half *= 2) {
      for (std::size_t from = 0; from < h_; from += 2 * half) {
        float* __restrict low = x + from;
        float* __restrict high = low + half;
        for (std::size_t c = 0; c < half; ++c) {
          const float a = low[c], b = high[c];
          low[c] = a + b;
          high[c] = a - b;
        }
      }
    }
    for (std::size_t c = 0; c < h_; ++c) x[c] *= scale_;
  }

  std::size_t d_, h_, steps_;
  std::vector<float> signs_;
  float scale_;
};

struct Rounding {
  bool usable = true;
  float scale = 0;
  double length = 0;
};

/// The integers v of a rotated vector.
Rounding round(const float* x, std::size_t d, std::int8_t* out) {
  Rounding rounding;
  rounding.length = length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]); });
  rounding.usable = rounding.length <= longest;  // false for NaN
  std::memset(out, 0, d);
  if (!rounding.usable) return rounding;
  float largest = least_magnitude;
  for (std::size_t c = 0; c < d; ++c) largest = std::max(largest, std::fabs(x[c]));
  const float inverse = 127 / largest;
  for (std::size_t c = 0; c < d; ++c) {
    const float value = std::rint(x[c] * inverse);
    out[c] = static_cast<std::int8_t>(value > 127 ? 127 : value < -127 ? -127 : value);
  }
  rounding.scale = largest / 127;
  return rounding;
}

int middle_of(std::int8_t v) {
  return 2 * (v & ~15) + 15;
}  // 32 u - 241

void lay_out(const std::int8_t* v, std::size_t d, std::size_t place, std::uint8_t* first,
             std::uint8_t* second) {
  for (std::size_t c = 0; c < units(d) * 64; ++c) {
    const std::uint8_t u = c < d ? static_cast<std::uint8_t>((v[c] >> 4) + 8) : 8,
                       w = c < d ? static_cast<std::uint8_t>(v[c] & 15) : 0;
    first[c / 8 * 64 + place * 4 + c % 4] |= static_cast<std::uint8_t>(u << (c % 8 / 4 * 4));
    second[c / 64 * 32 + c % 32] |= static_cast<std::uint8_t>(w << (c % 64 / 32 * 4));
  }
}

}  // namespace

std::vector<float> centre_of(const float* sample, std::size_t n, std::size_t d) {
  std::vector<double> sum(d);
  std::size_t count = 0;
  for (std::size_t r = 0; r < n; ++r) {
    const float* row = sample + r * d;
    if (!(length_of(d, [&](std::size_t c) { return static_cast<double>(row[c]); }) <= longest))
      continue;
    for (std::size_t c = 0; c < d; ++c) sum[c] += static_cast<double>(row[c]);
    count += 1;
  }
  std::vector<float> centre(d);
  for (std::size_t c = 0; c < d && count > 0; ++c)
    centre[c] = static_cast<float>(sum[c] / static_cast<double>(count));
  return centre;
}

void pack_rows(const Matrix& rows, std::size_t d, const float* centre, std::uint8_t* out,
               PanelRecord* records) {
  const std::size_t count = rows.rows;
  const Rotation rotation(d);
  std::vector<float> x(d);
  std::vector<std::int8_t> v(d);
  std::memset(out, 0, panels(count) * panel_bytes(d));
  const std::size_t half = 512 * units(d);
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t panel = row / panel_rows, place = row % panel_rows,
                      block = panel / block_panels * block_panels;
    const std::size_t block_size = std::min(panels(count) - block, block_panels);
    PanelRecord& record = records[panel];
    if (place == 0) record = PanelRecord();
    for (std::size_t c = 0; c < d; ++c) x[c] = rows.data[row * rows.stride + c] - centre[c];
    rotation.apply(x.data());
    const Rounding rounding = round(x.data(), d, v.data());
    std::uint8_t* first = out + (2 * block + panel - block) * half;
    lay_out(v.data(), d, place, first,
            out + (2 * block + block_size + panel - block) * half + place * half / panel_rows);
    record.scale[place] = rounding.scale;
    record.error[place] = infinity;
    if (!rounding.usable) {
      record.most_error = infinity;
      continue;
    }
    const float* given = rows.data + row * rows.stride;
    record.most_length = std::max(
        record.most_length,
        round_up(length_of(d, [&](std::size_t c) { return static_cast<double>(given[c]); })));
    const double scale = static_cast<double>(rounding.scale),
                 rotation_error = rotation.error(rounding.length);
    const double middles =
        length_of(d, [&](std::size_t c) { return 0.5 * scale * middle_of(v[c]); });
    const double first_error =
        length_of(d,
                  [&](std::size_t c) {
                    return static_cast<double>(x[c]) - 0.5 * scale * middle_of(v[c]);
                  }) +
        rotation_error;
    const double stored_length = length_of(d, [&](std::size_t c) { return scale * v[c]; });
    const double fine_error =
        length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]) - scale * v[c]; }) +
        rotation_error;
    record.error[place] = round_up(first_error * (1 + 0x1p-50));
    record.length[place] = round_up(middles);
    record.fine_error = std::max(record.fine_error, round_up(fine_error / scale * inflated));
    record.fine_length = std::max(record.fine_length, round_up(stored_length / middles * inflated));
  }
}

namespace {

quantized::QueryBlock rotate(const float* queries, std::size_t nq, std::size_t ldq, std::size_t d) {
  const Rotation rotation(d);
  std::vector<float> all(nq * d);
  for (std::size_t i = 0; i < nq; ++i) {
    std::copy_n(queries + i * ldq, d, all.begin() + static_cast<std::ptrdiff_t>(i * d));
    rotation.apply(all.data() + i * d);
  }
  return quantized::QueryBlock(quantized::Storage::int8, all.data(), nq, d, d);
}

}  // namespace

QueryBlock::QueryBlock(const float* queries, std::size_t nq, std::size_t ldq, std::size_t d)
    : nq_(nq), d_(d), rotated_(rotate(queries, nq, ldq, d)) {
  const std::size_t room = panels(nq) * panel_rows;
  const double canonical = canonical_share(d);
  const Rotation rotation(d);
  const quantized::Queries& packed = rotated_.view();
  std::vector<float> x(d);
  sum_.resize(room);
  length_.resize(room);
  for (auto* list : {&alpha_, &beta_, &wider_alpha_, &wider_beta_}) list->resize(room);
  for (std::size_t i = 0; i < nq; ++i) {
    std::copy_n(queries + i * ldq, d, x.begin());
    length_[i] = length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]); });
    if (!std::isfinite(packed.omega[i]) || !(length_[i] <= 2 * longest))
      length_[i] = std::numeric_limits<double>::infinity();
    wider_alpha_[i] = alpha_[i] =
        std::numeric_limits<float>::min();  // times an infinite error: infinite, not NaN
    if (!std::isfinite(length_[i])) continue;
    rotation.apply(x.data());
    const double scale = static_cast<double>(packed.scale[i]);
    auto stored = [&](std::size_t c) {
      const std::uint8_t* tile =
          packed.tiles + ((i / panel_rows * units(d) + c / 64) * panel_rows + i % panel_rows) * 64;
      return static_cast<std::int8_t>(tile[c % 64]);
    };
    const double whole = length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]); });
    const double stored_length = length_of(d, [&](std::size_t c) { return scale * stored(c); });
    const double error_length =
        length_of(d, [&](std::size_t c) { return static_cast<double>(x[c]) - scale * stored(c); }) +
        rotation.error(whole);
    alpha_[i] = std::max(alpha_[i], round_up(length_[i] * (1 + canonical) * inflated));
    beta_[i] =
        round_up((error_length + canonical * length_[i] + 12 * unit * stored_length) * inflated);
    wider_alpha_[i] = round_up(static_cast<double>(alpha_[i]) * wider);
    wider_beta_[i] = round_up(static_cast<double>(beta_[i]) * wider);
    for (std::size_t c = 0; c < d; ++c) sum_[i] += stored(c);
  }
}

Shifts QueryBlock::shifts(const float* queries, std::size_t ldq,
                          std::span<const float> centre) const {
  Shifts shifts;
  shifts.shift.resize(length_.size());
  shifts.omega.resize(length_.size());
  shifts.wider.resize(length_.size());
  const double far =
      centre.empty() ? 0
                     : length_of(d_, [&](std::size_t c) { return static_cast<double>(centre[c]); });
  const double canonical = canonical_share(d_);
  for (std::size_t i = 0; i < nq_; ++i) {
    if (!std::isfinite(length_[i])) {
      shifts.omega[i] = shifts.wider[i] = infinity;
      continue;
    }
    double sum = 0;
    for (std::size_t c = 0; c < centre.size(); ++c)
      sum += static_cast<double>(queries[i * ldq + c]) * static_cast<double>(centre[c]);
    shifts.shift[i] = static_cast<float>(sum);
    shifts.omega[i] = round_up(static_cast<double>(d_ + 8) * 0x1p-124 +
                               (canonical + 8 * unit) * length_[i] * far * inflated);
    shifts.wider[i] = round_up(static_cast<double>(shifts.omega[i]) * wider);
  }
  return shifts;
}

Queries QueryBlock::view(const Shifts& shifts, std::size_t first, std::size_t count) const {
  const std::size_t bytes = first * units(d_) * quantized::line_bytes;
  quantized::Queries whole = rotated_.view();
  whole.nq = count;
  whole.tiles += bytes;
  whole.words += bytes / 2;  // twice the bytes of the tiles
  whole.offset += first;
  whole.scale += first;
  whole.alpha = wider_alpha_.data() + first;
  whole.beta = wider_beta_.data() + first;
  whole.omega = shifts.wider.data() + first;
  return {count,
          d_,
          whole.tiles,
          sum_.data() + first,
          whole.scale,
          alpha_.data() + first,
          beta_.data() + first,
          shifts.shift.data() + first,
          shifts.omega.data() + first,
          whole};
}

}  // namespace asof::int4
