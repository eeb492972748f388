// Fusion by precomputed tables: per encoder, per distinct year of a call, then per block of rows.
#include "encoder/time_encoder.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/normalize/contract.hpp"
#include "kernels/time_encoder/contract.hpp"
#include "kernels/training/contract.hpp"

namespace asof {
namespace {

// gamma and beta of a tile stay in the second-level cache: 128 KB at 256 dimensions.
constexpr std::size_t tile_rows = 64;
constexpr std::uint32_t none = time_encoder::none;

constexpr std::uint8_t bits[] = {calendar::has_year, calendar::has_month, calendar::has_day,
                                 calendar::has_day_of_year};

}  // namespace

// The first layer's rows of the years that occur, and each year's row.
struct TimeEncoder::Years {
  std::int64_t lowest = 0;
  std::vector<std::uint32_t> row;
  std::vector<float> values;
};

// Rows [first, first + n) of a call.
struct TimeEncoder::Block {
  std::size_t first, n;
  const float* rows;
  float* out;
};

struct TimeEncoder::Tile {
  std::array<std::vector<std::uint32_t>, time_encoder::components> rows;
  std::vector<float> hidden, gamma, beta;
  std::vector<double> features;
  std::vector<std::uint8_t> timed;
};

TimeEncoder::TimeEncoder(const TimeNetwork& network, std::vector<float> parameters)
    : network_(network),
      layout_(layout_of(network)),
      parameters_(std::move(parameters)),
      bias_(network.width) {
  if (parameters_.size() != layout_.total) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected " + std::to_string(layout_.total) +
                    " parameters of a time encoder of this shape, received " +
                    std::to_string(parameters_.size()) + ".");
  }
  if (network_.kind == TimeNetwork::Kind::film)
    std::copy_n(parameters_.data() + layout_.first_bias, network_.width, bias_.data());
  if (network_.kind == TimeNetwork::Kind::absolute) return;
  auto fill = [&](std::vector<float>& table, std::size_t k, std::size_t most) {
    table.resize((most + 1) * network_.width);
    for (std::size_t value = 1; value <= most; ++value)
      project(k, static_cast<double>(value), table.data() + value * network_.width);
  };
  fill(months_, 1, 12);
  fill(days_, 2, 31);
  fill(of_year_, 3, 366);
}

// M^T of a part of e: the component's addend of the first layer.
void TimeEncoder::project(std::size_t k, double value, float* out) const {
  std::size_t begin = network_.begin(k), size = network_.begin(k + 1) - begin,
              width = network_.width;
  std::vector<double> part(size), sums(width);
  time_part(network_, parameters_.data(), k, value, part);
  const float* matrix = parameters_.data() + layout_.first + begin * width;
  for (std::size_t c = 0; c < size; ++c, matrix += width) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += part[c] * matrix[j];
  }
  for (std::size_t j = 0; j < width; ++j) out[j] = static_cast<float>(sums[j]);
}

TimeEncoder::Years TimeEncoder::years_of(const calendar::Parts& dates, std::size_t n) const {
  Years years;
  if (network_.kind == TimeNetwork::Kind::absolute) return years;
  std::int64_t lowest = INT32_MAX, highest = INT32_MIN;
  for (std::size_t i = 0; i < n; ++i) {
    if ((dates.mask[i] & calendar::has_year) == 0) continue;
    lowest = std::min<std::int64_t>(lowest, dates.year[i]);
    highest = std::max<std::int64_t>(highest, dates.year[i]);
  }
  if (lowest > highest) return years;
  years.lowest = lowest;
  years.row.assign(static_cast<std::size_t>(highest - lowest + 1), none);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if ((dates.mask[i] & calendar::has_year) == 0) continue;
    std::uint32_t& row = years.row[static_cast<std::size_t>(dates.year[i] - lowest)];
    if (row != none) continue;
    row = count++;
    years.values.resize(count * network_.width);
    project(0, dates.year[i], years.values.data() + row * network_.width);
  }
  return years;
}

void TimeEncoder::embed(const calendar::Parts& dates, std::size_t n, std::span<float> out) const {
  std::size_t features = network_.features();
  std::vector<double> row(features);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    if (network_.kind == TimeNetwork::Kind::absolute) {
      absolute_features(dates, i, row);
    } else {
      const double values[] = {
          static_cast<double>(dates.year[i]), static_cast<double>(dates.month[i]),
          static_cast<double>(dates.day[i]), static_cast<double>(dates.day_of_year[i])};
      std::uint8_t known = known_parts(dates, i);
      for (std::size_t k = 0; k < 4; ++k) {
        std::span<double> part(row.data() + network_.begin(k),
                               network_.begin(k + 1) - network_.begin(k));
        if ((known & bits[k]) != 0) time_part(network_, parameters_.data(), k, values[k], part);
      }
    }
    for (std::size_t c = 0; c < features; ++c) out[i * features + c] = static_cast<float>(row[c]);
  }
}

void TimeEncoder::first_layer(const calendar::Parts& dates, const Years& years, std::size_t first,
                              std::size_t n, Tile& tile) const {
  std::size_t width = network_.width;
  tile.hidden.resize(n * width);
  tile.timed.resize(n);
  if (network_.kind == TimeNetwork::Kind::absolute) {
    std::size_t features = network_.features();
    tile.features.resize(features);
    for (std::size_t i = 0; i < n; ++i) {
      absolute_features(dates, first + i, tile.features);
      tile.timed[i] = (known_parts(dates, first + i) & calendar::has_year) != 0;
      for (std::size_t j = 0; j < width; ++j) {
        double sum = 0;
        for (std::size_t c = 0; c < features; ++c)
          sum += tile.features[c] * parameters_[layout_.first + c * width + j];
        tile.hidden[i * width + j] = static_cast<float>(sum);
      }
    }
    return;
  }
  for (auto& rows : tile.rows) rows.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t at = first + i;
    std::uint8_t known = known_parts(dates, at);
    tile.timed[i] = known != 0;
    tile.rows[0][i] = (known & calendar::has_year) != 0
                          ? years.row[static_cast<std::size_t>(dates.year[at] - years.lowest)]
                          : none;
    tile.rows[1][i] = (known & calendar::has_month) != 0 ? dates.month[at] : none;
    tile.rows[2][i] = (known & calendar::has_day) != 0 ? dates.day[at] : none;
    tile.rows[3][i] = (known & calendar::has_day_of_year) != 0 ? dates.day_of_year[at] : none;
  }
  time_encoder::kernels().sums(
      {bias_.data(),
       {years.values.data(), months_.data(), days_.data(), of_year_.data()},
       {tile.rows[0].data(), tile.rows[1].data(), tile.rows[2].data(), tile.rows[3].data()},
       n,
       width,
       network_.kind == TimeNetwork::Kind::film},
      tile.hidden.data());
}

void TimeEncoder::fuse_tile(const calendar::Parts& dates, const Years& years, const Block& block,
                            Tile& tile) const {
  auto [first, n, rows, out] = block;
  std::size_t d = network_.dimensions, width = network_.width;
  first_layer(dates, years, first, n, tile);
  if (network_.kind == TimeNetwork::Kind::film) {
    auto map = [&](std::size_t matrix, std::size_t bias, std::vector<float>& result) {
      result.resize(n * d);
      for (std::size_t i = 0; i < n; ++i)
        std::copy_n(parameters_.data() + bias, d, result.data() + i * d);
      training::kernels().combine({tile.hidden.data(), width, 1},
                                  {parameters_.data() + matrix, width, d}, n, result.data());
    };
    map(layout_.gamma, layout_.gamma_bias, tile.gamma);
    map(layout_.beta, layout_.beta_bias, tile.beta);
    film::kernels().rows({rows, tile.gamma.data(), tile.beta.data(), tile.timed.data(), n, d},
                         parameters_[layout_.alpha], out, nullptr);
    return;
  }
  for (std::size_t i = 0; i < n; ++i, rows += d, out += d + width) {
    std::copy_n(rows, d, out);
    std::fill_n(out + d, width, 0.0f);
    if (tile.timed[i] == 0) continue;
    std::copy_n(tile.hidden.data() + i * width, width, out + d);
    if (normalize::kernels().rows(out, 1, d + width, d + width, nullptr) > 0)
      std::fill_n(out + d, width, 0.0f);
  }
}

void TimeEncoder::fuse(const calendar::Parts& dates, std::span<const float> rows, std::size_t n,
                       std::span<float> out, const Cancel& cancel) const {
  Years years = years_of(dates, n);
  std::vector<Tile> tiles(thread_count());
  parallel_for(
      (n + tile_rows - 1) / tile_rows, tiles.size(), [&](std::size_t task, std::size_t lane) {
        cancel.throw_if_requested();
        std::size_t first = task * tile_rows;
        fuse_tile(dates, years,
                  {first, std::min(tile_rows, n - first), rows.data() + first * network_.dimensions,
                   out.data() + first * network_.fused()},
                  tiles[lane]);
      });
}

}  // namespace asof
