// What BM25 of a request is computed with: parameters and, of a part of a collection, statistics.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// { rows, tokens, terms, frequencies }; none where it is absent.
inline std::optional<lexical::Collection> collection_of(const Napi::Object& given) {
  const Napi::Value value = given.Get("collection");
  if (value.IsUndefined() || value.IsNull()) return std::nullopt;
  if (!value.IsObject()) refuse("collection", "an object", kind_of(value));
  const Napi::Object numbers = value.As<Napi::Object>();
  constexpr double most = 9007199254740991.0;
  lexical::Collection collection;
  collection.statistics.rows = size(numbers.Get("rows"), "rows", 0, most);
  collection.statistics.tokens = size(numbers.Get("tokens"), "tokens", 0, most);
  std::vector<std::string> terms = strings(numbers.Get("terms"), "terms");
  const auto frequencies = array<double>(numbers.Get("frequencies"), "frequencies", terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!(frequencies[t] >= 0 && frequencies[t] <= most))
      refuse("frequencies", "numbers of rows", std::to_string(frequencies[t]));
    collection.rows_with[std::move(terms[t])] = static_cast<std::uint64_t>(frequencies[t]);
  }
  return collection;
}

}  // namespace asof::boundary
