// Values that forms (temporal/forms.hpp) give to rows, and upper bounds of them by kernel.
#pragma once

#include <cstdint>

#include "index/vector/request.hpp"
#include "kernels/decay/contract.hpp"
#include "kernels/spline/contract.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::vector {

/// The form's value of the row, by the clock that it reads for it.
temporal::RowTime row_time(const temporal::Form& form, const FlatRows& rows, std::size_t row);

/// Prefetches the times that the form reads of row `next`; of lists, the offset of `row`, too.
void prefetch_times(const temporal::Form& form, const FlatRows& rows, std::size_t row,
                    std::size_t next);

/// Rows [begin, begin + count).
struct RowSpan {
  std::size_t begin, count;
};

struct TimeKernels {
  const spline::Kernels& splines;
  const decay::Kernels& decays;
};

/// Upper bounds of the rows' values by kernel, but for the rounding of `outside` of a spline to
/// float; false if the kind has no kernel, or a row's time is incomplete or reversed.
bool max_values_of(const temporal::Form& form, const FlatRows& rows, RowSpan span,
                   const TimeKernels& kernels, float* out);

/// The values of the rows [begin, begin + count), for a form that adds them.
void addends_of(const temporal::Form& form, const FlatRows& rows, std::size_t begin,
                std::size_t count, double* values);

/// Cached values of one block.
class BlockRecencies {
 public:
  BlockRecencies(const FlatRows& rows, std::size_t begin, std::size_t count)
      : rows_(rows), begin_(begin), count_(count) {}
  const double* of(std::size_t number, const temporal::Form& form) {
    if (number != number_) addends_of(form, rows_, begin_, count_, values_);
    number_ = number;
    return values_;
  }

 private:
  const FlatRows& rows_;
  std::size_t begin_, count_, number_ = ~std::size_t{0};
  double values_[block_rows];
};

/// The moments of the values of rows counted by instant, of a form that goes by the latest; exact
/// where all are equal, as those of a block.
standardize::Moments moments_of(std::span<const ClockCounts::Group::Instant> instants,
                                const temporal::Form& form);

/// The moments of a block of doubles; exact where all are equal, so that their deviation is zero.
standardize::Moments moments_of(const double* values, std::size_t count);

}  // namespace asof::vector
