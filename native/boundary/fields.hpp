// Fields of passages and filters from JavaScript.
#pragma once

#include <napi.h>

#include <vector>

#include "index/fields/filter.hpp"

namespace asof::boundary {

/// [{ numbers: Float64Array } | { termBytes, termOffsets, rowOffsets, rowTerms }]: a column for
/// each field, of `passages` passages.
std::vector<fields::OwnedColumn> field_columns(const Napi::Value& value, std::size_t passages);

}  // namespace asof::boundary
