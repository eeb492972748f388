// Accumulation and evaluation of vector moments.
#include "index/segment/vector_moments.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/path_text.hpp"
#include "core/threads.hpp"
#include "index/segment/segment_writer.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof {
namespace {

constexpr std::size_t float_rows = 256;  // summed in float
constexpr std::size_t piece_rows = 16 * float_rows;
constexpr std::size_t strip = 32;  // components a thread takes at once
constexpr std::size_t stride =
    piece_rows +
    16;  // between components: not a power of two, whose lines would fall on one set of the cache

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double each) { return std::isfinite(each); });
}

std::size_t triangle(std::size_t d) {
  return d * (d + 1) / 2;
}

/// The vectors of a file that is being written, a piece at a time.
class Pieces {
 public:
  Pieces(SegmentWriter& writer, std::size_t dimensions)
      : writer_(writer),
        vectors_(writer.section_range(schema::vectors)),
        d_(dimensions),
        some_(piece_rows * d_) {}

  /// Calls visit(vectors, rows) for the rows [begin, end).
  template <typename Visit>
  void each(std::size_t begin, std::size_t end, const Cancel& cancel, Visit visit) {
    for (std::size_t from = begin; from < end; from += piece_rows) {
      cancel.throw_if_requested();
      const std::size_t n = std::min(piece_rows, end - from);
      writer_.read_back(vectors_, from * d_, n * d_, some_.data());
      visit(some_.data(), n);
    }
  }

 private:
  SegmentWriter& writer_;
  SegmentWriter::SectionRange vectors_;
  std::size_t d_;
  std::vector<float> some_;
};

/// Adds the products of the n rows' centred components: scatter[i][j] += sum over rows of x_i x_j,
/// j <= i, in an order that does not depend on threads. `transposed` is a buffer of d * stride.
void add_products(const float* vectors, std::size_t n, const std::vector<float>& centre,
                  std::vector<float>& transposed, std::vector<double>& scatter) {
  const std::size_t d = centre.size();
  constexpr std::size_t line = 16;
  for (std::size_t from = 0; from < n; from += line) {
    const std::size_t rows = std::min(line, n - from);
    for (std::size_t c = 0; c < d; ++c) {
      for (std::size_t row = from; row < from + rows; ++row)
        transposed[c * stride + row] = vectors[row * d + c] - centre[c];
    }
  }
  const inner_product::Kernels& kernels = inner_product::kernels();
  parallel_for((d + strip - 1) / strip, 0, [&](std::size_t s, std::size_t) {
    const std::size_t first = s * strip, last = std::min(d, first + strip);
    std::vector<float> products(strip * last);
    for (std::size_t from = 0; from < n; from += float_rows) {
      const float* block = transposed.data() + from;
      const std::size_t rows = std::min(float_rows, n - from);
      kernels.block({block + first * stride, last - first, stride}, {block, last, stride}, rows,
                    products.data(), last);
      for (std::size_t i = first; i < last; ++i) {
        double* sums = &scatter[triangle(i)];
        for (std::size_t j = 0; j <= i; ++j)
          sums[j] += static_cast<double>(products[(i - first) * last + j]);
      }
    }
  });
}

/// Measures `count` rows, which each(visit) passes in pieces, the same in both calls.
template <typename Each>
MeasuredGroup measure_rows(std::size_t count, std::size_t d, Each each) {
  MeasuredGroup group{static_cast<double>(count), std::vector<double>(d),
                      std::vector<double>(triangle(d))};
  each([&](const float* vectors, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t c = 0; c < d; ++c)
        group.mean[c] += static_cast<double>(vectors[row * d + c]);
    }
  });
  std::vector<float> centre(d), transposed(d * stride);
  for (std::size_t c = 0; c < d; ++c) {
    centre[c] = static_cast<float>(group.mean[c] / group.count);
    group.mean[c] = static_cast<double>(centre[c]) +
                    (group.mean[c] - static_cast<double>(centre[c]) * group.count) / group.count;
  }
  each([&](const float* vectors, std::size_t n) {
    add_products(vectors, n, centre, transposed, group.scatter);
  });
  return all_finite(group.mean) && all_finite(group.scatter) ? group : MeasuredGroup();
}

}  // namespace

std::size_t min_measured_rows(std::size_t dimensions) {
  return std::max<std::size_t>(4096, 16 * dimensions);
}

MeasuredGroup measure(std::span<const float> vectors, std::size_t d) {
  const std::size_t rows = vectors.size() / d;
  if (rows < min_measured_rows(d)) return {};
  return measure_rows(rows, d, [&](auto visit) {
    for (std::size_t from = 0; from < rows; from += piece_rows)
      visit(vectors.data() + from * d, std::min(piece_rows, rows - from));
  });
}

void append_moments(SegmentWriter& writer, std::array<std::size_t, 3> ends, std::size_t d,
                    const Cancel& cancel) {
  const auto enough = [&](std::size_t begin, std::size_t end) {
    return end - begin >= min_measured_rows(d);
  };
  if (!enough(0, ends[0]) && !enough(ends[0], ends[1]) && !enough(ends[1], ends[2])) return;
  Pieces pieces(writer, d);
  writer.begin(schema::vector_moments, Element::f64);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    MeasuredGroup group;
    if (enough(begin, end))
      group =
          measure_rows(end - begin, d, [&](auto visit) { pieces.each(begin, end, cancel, visit); });
    writer.append(&group.count, 1);
    if (group.count > 0) {
      writer.append<double>(group.mean);
      writer.append<double>(group.scatter);
    }
    begin = end;
  }
}

VectorMoments view_moments(const Segment& segment, std::size_t d) {
  VectorMoments moments;
  if (!segment.has(schema::vector_moments)) return moments;
  const CheckedSpan<double> all = segment.checked<double>(schema::vector_moments);
  std::size_t from = 0;
  for (GroupMoments& group : moments) {
    const std::size_t left = all.size() - from;
    const std::size_t length = left == 0 || !(all[from] > 0) ? 1 : 1 + d + triangle(d);
    if (left < length) {
      throw Error("ERR_CORPUS_CORRUPT",
                  "Expected the section " + std::string(schema::vector_moments) + " of " +
                      text_of(segment.path().filename()) + " to hold moments of " +
                      std::to_string(d) + " components, found less. Index the passages again.");
    }
    group.count = all[from];
    if (length > 1)
      group = {all[from], {all.address(from + 1), d}, {all.address(from + 1 + d), triangle(d)}};
    from += length;
  }
  return moments;
}

standardize::Moments product_moments(const GroupMoments& group, const float* query) {
  constexpr std::size_t lanes = 8;  // independent sums
  double mean = 0, squares = 0;
  const std::vector<double> wide(query, query + group.mean.size());
  for (std::size_t i = 0; i < group.mean.size(); ++i) {
    const double own = wide[i];
    mean += own * group.mean[i];
    const double* scatter = &group.scatter[triangle(i)];
    double sums[lanes] = {};
    std::size_t j = 0;
    for (; j + lanes <= i; j += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        sums[lane] += wide[j + lane] * scatter[j + lane];
    }
    for (std::size_t lane = 0; j < i; ++j, ++lane) sums[lane] += wide[j] * scatter[j];
    const double with =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    squares += own * (2 * with + own * scatter[i]);
  }
  return {group.count, mean, std::max(0.0, squares)};
}

}  // namespace asof
