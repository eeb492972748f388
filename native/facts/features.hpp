// Places of the features of a statement as a member of a series, in the order of weight files
// (`signs` of lib/facts/features/features.ts, which names them and has their meaning).
#pragma once

#include <cstddef>

namespace asof::facts {

enum Feature : std::size_t {
  bias,
  name_overlap,
  name_in_passage,
  sibling,
  substituted,
  name_extra,
  title_asked,
  title_sibling,
  value_share,
  value_missing,
  asks_value,
  value_conflict,
  rarity_missing,
  name_missing,
  kind_missing,
  pair_conflict,
  exact_form,
  unknown_term,
  unknown_name,
  cosine,
  cosine_below_best,
  scan_unordered,
  scan_ordered,
  of_title_alone,
  length,
  passage_length,
  type_missing,
  // Of its time, from here on.
  compared,
  role_of_other,
  previous,
  later,
  of_title,
  undated,
  before,
  before_of_figure,
  outside,
  overhang,
  gap,
  coarse,
  span,
  equal,
  later_report,
  published_after,
  published_gap,
  width,
};
inline constexpr std::size_t first_timed = compared;

}  // namespace asof::facts
