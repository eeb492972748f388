// Static text encoder: a weighted sum of token vectors, without context or word order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "encoder/static_model.hpp"

// v = sum over a text's tokens t of n(t)^s scale(t) row(t), normalized to length one, where n(t) is
// the count of t in the text and s the model's saturation. A text without a known token gives the
// zero vector.

namespace asof {

/// out[i * d + j], d = model.dimensions(), rows of length one or zero. The sum runs over tokens by
/// ascending id in f32, each component apart, its length in f64: the bits do not depend on threads
/// or on the other texts. Throws ERR_ABORTED.
void encode(const StaticModel& model, std::span<const std::u16string> texts, std::span<float> out,
            const Cancel& cancel, std::size_t threads = 0);

/// Lists one after another: list t is `items[i]`, i from ends[t - 1] (0 of the first) to ends[t].
struct Lists {
  std::vector<std::uint32_t> items, ends;
};

/// Ids of the tokens of each text; `unknown()` where a word has none.
Lists tokens_of(const StaticModel& model, std::span<const std::u16string> texts);

/// Cosines of the first `asked` texts, given by their tokens, with each other one, row by row, to
/// 1e-6 those of their vectors by `encode`; 0 of one without a known token. Throws ERR_ABORTED.
std::vector<double> cosines(const StaticModel& model, const Lists& texts, std::size_t asked,
                            const Cancel& cancel, std::size_t threads = 0);

}  // namespace asof
