// Candidate answers of passages with their features. Needs what a question asks by and the
// passages' sentences, and no Node; time is linear in the texts but for words and dates of one
// sentence.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.hpp"
#include "reading/features.hpp"
#include "reading/question.hpp"

namespace asof::reading {

struct ReadPassage {
  std::u16string text;               // its title and a line end before its text, where it has one
  std::uint32_t title_end = 0;       // of the title; 0 without
  std::vector<Span> sentences;       // of `text`, without the title
  double reference = 0;              // when it was published, on the wall clock; NaN without
  std::optional<Stretch> published;  // the day of publication
  std::vector<double> instants;      // as for PassageDates
};

/// A span of a passage that may be the answer.
struct Candidate : Span {
  std::uint32_t passage = 0;
  Form form = Form::chunk;
  std::u16string_view text;      // its words, or the date that they mean
  std::u16string_view sentence;  // that it is read with
};

/// The candidates of all forms, in the order of the passages and their texts, which stay where they
/// are.
struct Candidates {
  std::vector<Candidate> all;
  std::vector<Feature> features;  // of all, one after another
  std::vector<std::size_t> feature_ends;
  std::deque<std::u16string> dates;  // what texts of candidates view

  std::span<const Feature> features_of(std::size_t candidate) const {
    const std::size_t from = candidate == 0 ? 0 : feature_ends[candidate - 1];
    return std::span(features).subspan(from, feature_ends[candidate] - from);
  }
};

/// Throws where it is cancelled, or where the instants of a passage are not those of its times.
Candidates candidates_of(const Question& question, const std::vector<ReadPassage>& passages,
                         const Cancel& cancel);

}  // namespace asof::reading
