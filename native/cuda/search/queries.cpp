// See queries.hpp.
#include "cuda/search/queries.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/quantized/queries.hpp"

namespace asof::cuda {
namespace {

/// The words of 16 queries, group by group: the layout of rows. The host keeps a tile of theirs query by query.
std::vector<std::uint8_t> lines_of(const quantized::Queries& queries) {
  const std::size_t count = quantized::panels(queries.nq) * quantized::tiles(queries.storage, queries.d);
  std::vector<std::uint8_t> lines(count * quantized::tile_bytes);
  for (std::size_t tile = 0; tile < count; ++tile) {
    const std::uint8_t* from = queries.tiles + tile * quantized::tile_bytes;
    std::uint8_t* to = lines.data() + tile * quantized::tile_bytes;
    for (std::size_t query = 0; query < quantized::panel_rows; ++query) {
      for (std::size_t group = 0; group < quantized::tile_lines; ++group) {
        std::memcpy(to + group * quantized::line_bytes + query * 4, from + query * quantized::line_bytes + group * 4, 4);
      }
    }
  }
  return lines;
}

}  // namespace

PackedQueries::PackedQueries(Device& device, quantized::Storage storage, const float* vectors, std::uint32_t count, std::uint32_t dimensions)
    : line_bytes_(quantized::panel_bytes(storage, dimensions)), room_(quantized::panels(count) * quantized::panel_rows) {
  const quantized::QueryBlock block(storage, vectors, count, dimensions, dimensions);
  const quantized::Queries& packed = block.view();
  std::vector<float> numbers(4 * room_);
  for (std::size_t q = 0; q < count; ++q) {
    numbers[q] = packed.scale[q];
    numbers[room_ + q] = packed.alpha[q];
    // Tensor cores cut off what rounding would keep, and add several products at once: four times the contract's P, and |q^| <= 2 alpha.
    const float cut = storage == quantized::Storage::bf16 ? 6 * (static_cast<float>(dimensions) + 12) * 0x1p-24f * packed.alpha[q] : 0;
    numbers[2 * room_ + q] = packed.beta[q] + cut;
    numbers[3 * room_ + q] = packed.omega[q];
  }
  const std::vector<std::uint8_t> lines = lines_of(packed);
  lines_ = device.uploaded(lines.data(), lines.size(), "queries");
  numbers_ = device.uploaded(numbers.data(), numbers.size(), "queries");
}

products::Queries PackedQueries::part(std::uint32_t first, std::uint32_t count, const float* least) const {
  const float* numbers = numbers_.get() + first;
  return {lines_.get() + first / quantized::panel_rows * line_bytes_, numbers, numbers + room_, numbers + 2 * room_, numbers + 3 * room_, least + first, count};
}

namespace {

float not_below(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

}  // namespace

PlainQueries::PlainQueries(Device& device, const float* vectors, std::uint32_t count, std::uint32_t dimensions) : dimensions_(dimensions), count_(count) {
  const double u = 0x1p-24, d = dimensions, canonical = (d / 2 + 8) * u * (1 + 0x1p-6), product = (d + 12) * u * (1 + 0x1p-6);
  std::vector<float> numbers(2 * count_), finite(vectors, vectors + count_ * dimensions_);
  for (std::size_t q = 0; q < count_; ++q) {
    double squares = 0;
    for (std::size_t c = 0; c < dimensions_; ++c) squares += static_cast<double>(vectors[q * dimensions_ + c]) * static_cast<double>(vectors[q * dimensions_ + c]);
    const double length = std::sqrt(squares) * (1 + 0x1p-30);
    const bool bounded = length <= static_cast<double>(products::longest_row);
    if (!bounded) std::fill_n(finite.begin() + static_cast<std::ptrdiff_t>(q * dimensions_), dimensions_, 0.0f);
    numbers[q] = bounded ? not_below((canonical + product) * length * (1 + 0x1p-20)) : 0;
    numbers[count_ + q] = bounded ? not_below((d + 8) * 0x1p-124) : std::numeric_limits<float>::infinity();
  }
  vectors_ = device.uploaded(finite.data(), finite.size(), "queries");
  numbers_ = device.uploaded(numbers.data(), numbers.size(), "queries");
}

products::FloatQueries PlainQueries::part(std::uint32_t first, std::uint32_t count, const float* least) const {
  return {vectors_.get() + first * dimensions_, numbers_.get() + first, numbers_.get() + count_ + first, least + first, count};
}

}  // namespace asof::cuda
