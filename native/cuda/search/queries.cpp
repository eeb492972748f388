// See queries.hpp.
#include "cuda/search/queries.hpp"

#include <cmath>
#include <limits>

#include "cuda/kernels/products/pack.hpp"

namespace asof::cuda {

PackedQueries::PackedQueries(Device& device, quantized::Storage storage, const float* vectors,
                             std::uint32_t count, std::uint32_t dimensions)
    : line_bytes_(quantized::panel_bytes(storage, dimensions)),
      room_(quantized::panels(count) * quantized::panel_rows) {
  lines_ = Buffer<std::uint8_t>(device.memory, quantized::panels(count) * line_bytes_, "queries");
  numbers_ = Buffer<float>(device.memory, 4 * room_, "queries");
  float* numbers = numbers_.get();
  const products::Packing work{vectors,
                               count,
                               static_cast<std::uint32_t>(room_),
                               dimensions,
                               static_cast<std::uint32_t>(quantized::tiles(storage, dimensions)),
                               lines_.get(),
                               numbers,
                               numbers + room_,
                               numbers + 2 * room_,
                               numbers + 3 * room_};
  constexpr std::uint32_t warps = products::pack_threads / warp_lanes;
  const Launch how{dim3((static_cast<std::uint32_t>(room_) + warps - 1) / warps),
                   dim3(products::pack_threads), 0, device.stream};
  const auto kernel =
      storage == quantized::Storage::int8 ? products::pack<true> : products::pack<false>;
  check(launch(how, kernel, work), "to pack queries");
}

products::Queries PackedQueries::slice(std::uint32_t first, std::uint32_t count,
                                       const float* thresholds) const {
  const float* numbers = numbers_.get() + first;
  return {lines_.get() + first / quantized::panel_rows * line_bytes_,
          numbers,
          numbers + room_,
          numbers + 2 * room_,
          numbers + 3 * room_,
          thresholds + first,
          count};
}

namespace {

float not_below(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value
             ? std::nextafter(nearest, std::numeric_limits<float>::infinity())
             : nearest;
}

}  // namespace

PlainQueries::PlainQueries(Device& device, const float* vectors, std::uint32_t count,
                           std::uint32_t dimensions)
    : dimensions_(dimensions), count_(count) {
  const double u = 0x1p-24, d = dimensions, canonical = (d / 2 + 8) * u * (1 + 0x1p-6),
               product = (d + 12) * u * (1 + 0x1p-6);
  std::vector<float> numbers(2 * count_), finite(vectors, vectors + count_ * dimensions_);
  for (std::size_t q = 0; q < count_; ++q) {
    double squares = 0;
    for (std::size_t c = 0; c < dimensions_; ++c)
      squares += static_cast<double>(vectors[q * dimensions_ + c]) *
                 static_cast<double>(vectors[q * dimensions_ + c]);
    const double length = std::sqrt(squares) * (1 + 0x1p-30);
    const bool bounded = length <= static_cast<double>(products::longest_row);
    if (!bounded)
      std::fill_n(finite.begin() + static_cast<std::ptrdiff_t>(q * dimensions_), dimensions_, 0.0f);
    numbers[q] = bounded ? not_below((canonical + product) * length * (1 + 0x1p-20)) : 0;
    numbers[count_ + q] =
        bounded ? not_below((d + 8) * 0x1p-124) : std::numeric_limits<float>::infinity();
  }
  vectors_ = device.upload_copy(finite.data(), finite.size(), "queries");
  numbers_ = device.upload_copy(numbers.data(), numbers.size(), "queries");
}

products::FloatQueries PlainQueries::slice(std::uint32_t first, std::uint32_t count,
                                           const float* thresholds) const {
  return {vectors_.get() + first * dimensions_, numbers_.get() + first,
          numbers_.get() + count_ + first, thresholds + first, count};
}

}  // namespace asof::cuda
