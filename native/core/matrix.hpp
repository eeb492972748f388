// Borrowed row-major matrix of floats. Plain data, included by sources compiled once per level.
#pragma once

#include <cstddef>

namespace asof {

/// Row r starts at data + r * stride, in floats.
struct Matrix {
  const float* data;
  std::size_t rows;
  std::size_t stride;
};

}  // namespace asof
