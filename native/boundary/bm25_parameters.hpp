// BM25 parameters of a request, with their ranges.
#pragma once

#include "boundary/arguments.hpp"
#include "index/lexical/bm25.hpp"

namespace asof::boundary {

inline lexical::Bm25 bm25_parameters(const Napi::Object& given) {
  const lexical::Bm25 parameters{number(given.Get("k1"), "k1"), number(given.Get("b"), "b")};
  if (!(parameters.k1 >= 0) || !std::isfinite(parameters.k1))
    refuse("k1", "a finite number of at least 0", std::to_string(parameters.k1));
  if (!(parameters.b >= 0 && parameters.b <= 1))
    refuse("b", "a number from 0 to 1", std::to_string(parameters.b));
  return parameters;
}

}  // namespace asof::boundary
