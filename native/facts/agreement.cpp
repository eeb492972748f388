#include "facts/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace asof::facts {
namespace {

/// Whether none of the values before this place is the same.
template <typename Values>
bool is_first(const Values& values, std::size_t place) {
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(place);
  return std::find(values.begin(), end, values[place]) == end;
}

/// Digits on both sides of a dot.
bool has_decimal(std::u16string_view text) {
  const auto is_digit = [](char16_t unit) { return unit >= u'0' && unit <= u'9'; };
  for (std::size_t dot = 1; dot + 1 < text.size(); ++dot)
    if (text[dot] == u'.' && is_digit(text[dot - 1]) && is_digit(text[dot + 1])) return true;
  return false;
}

bool has_sign(const Text& text, Sign sign) {
  return std::any_of(text.hits.begin(), text.hits.end(),
                     [sign](const Hit& hit) { return (hit.signs & sign) != 0; });
}

}  // namespace

std::vector<std::uint8_t> signs_of(const Pool& pool) {
  const Lexicon& lexicon = pool.lexicon;
  std::vector<std::uint8_t> signs(lexicon.words());
  for (const std::uint32_t word : pool.words) {
    const std::uint32_t term = lexicon.terms[word];
    const std::uint8_t mark = pool.marks[term];
    unsigned own = 0;
    if ((mark & asked_term) != 0) own |= is_term;
    if ((mark & version_within) != 0) own |= is_version;
    if (pool.place_of_form(lexicon.lows[word]) >= 0) own |= is_form;
    if (term == pool.role) own |= is_role;
    if (lexicon.values[word] != 0 && (mark & given) == 0) {
      own |= is_new_figure;
      if (pool.question.wanted == Wanted::version && has_decimal(lexicon.texts[term]))
        own |= is_new_version;
    }
    signs[word] = static_cast<std::uint8_t>(own);
  }
  return signs;
}

NameMatcher::NameMatcher(const Pool& pool, std::span<const double> idf,
                         std::span<const double> term_idf)
    : pool_(pool), idf_(idf), weights_(pool.question.terms.size()) {
  const std::vector<Term>& terms = pool.question.terms;
  double most = 0;
  for (const std::vector<std::uint32_t>& name : pool.question.names) {
    Sought& sought = sought_.emplace_back();
    std::vector<std::u16string_view> texts;
    for (const std::uint32_t t : name) {
      texts.push_back(terms[t].term);
      weights_[t] = terms[t].weight;
      if (!is_first(texts, texts.size() - 1)) continue;
      sought.terms.push_back(pool.number_of(t));
      sought.mass += term_idf[t];
    }
    // Of no mass it would divide by 0.
    if (sought.mass == 0 || std::isnan(sought.mass)) sought.mass = 1;
    total_ += sought.mass;
    most = std::max(most, sought.mass);
  }
  for (const double weight : weights_) weight_total_ += weight;
  telling_ = 1 - std::exp(-most);
}

double NameMatcher::share(std::span<const double> held) const {
  double sum = 0;
  for (std::size_t t = 0; t < weights_.size(); ++t) sum += weights_[t] * held[t];
  return weight_total_ > 0 ? sum / weight_total_ : 0;
}

void NameMatcher::improve(std::span<NameAgreement> best, const std::vector<Name>& names) const {
  for (const Name& name : names) {
    const auto is_sought = [this](std::uint32_t term) {
      return (pool_.marks[term] & of_name) != 0;
    };
    if (std::none_of(name.begin(), name.end(), is_sought)) continue;
    for (std::size_t nth = 0; nth < sought_.size(); ++nth) {
      const NameAgreement own = agreement(sought_[nth], name);
      if (own.overlap > best[nth].overlap) best[nth] = own;
    }
  }
}

/// Rarity-weighted Jaccard; what the name has in excess of the question.
NameAgreement NameMatcher::agreement(const Sought& sought, const Name& name) const {
  double both = 0, extra = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_first(name, i)) continue;
    const std::uint32_t term = name[i];
    const bool is_own =
        std::find(sought.terms.begin(), sought.terms.end(), term) != sought.terms.end();
    if (is_own)
      both += idf_[term];
    else if ((pool_.marks[term] & asked_term) == 0)
      extra += idf_[term];
  }
  return {both / (sought.mass + extra), extra / (sought.mass + extra)};
}

NameAgreement NameMatcher::match(std::span<const NameAgreement> own,
                                 std::span<const NameAgreement> inherited) const {
  NameAgreement sum;
  for (std::size_t nth = 0; nth < sought_.size(); ++nth) {
    const double mass = sought_[nth].mass;
    const double less = 0.9 * inherited[nth].overlap;
    const bool is_own = own[nth].overlap >= less;
    sum.overlap += mass * (is_own ? own[nth].overlap : less);
    sum.extra += mass * (is_own ? own[nth].extra : inherited[nth].extra);
  }
  return {sum.overlap / total_, sum.extra / total_};
}

double share_asked(const Passage& passage, const Pool& pool, std::span<const double> idf) {
  const Lexicon& lexicon = pool.lexicon;
  const std::vector<std::uint32_t>& words = passage.title.words;
  const auto is_asked = [&](std::uint32_t term) { return (pool.marks[term] & asked_term) != 0; };
  std::vector<std::uint32_t> terms;
  terms.reserve(words.size());
  for (const std::uint32_t word : words)
    if (lexicon.values[word] == 0) terms.push_back(lexicon.terms[word]);
  if (std::none_of(terms.begin(), terms.end(), is_asked)) return 0;
  double all = 0, asked = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!is_first(terms, i)) continue;
    all += idf[terms[i]];
    if (is_asked(terms[i])) asked += idf[terms[i]];
  }
  return all > 0 ? asked / all : 0;
}

int value_after(std::int64_t word, std::uint32_t t, const Text& text, const Pool& pool) {
  const Lexicon& lexicon = pool.lexicon;
  int found = 0;
  for (const Hit& hit : text.hits) {
    if (lexicon.terms[hit.word] != word || hit.place + 1 == text.range.to) continue;
    const std::uint32_t next = text.range.of->words[hit.place + 1];
    if (lexicon.values[next] == 0) continue;
    if (pool.is_value(lexicon.terms[next], t)) return 1;
    found = -1;
  }
  return found;
}

bool has_other_modifier(std::int64_t head, const Text& text, const Lexicon& lexicon) {
  const Words& of = *text.range.of;
  for (const Hit& hit : text.hits) {
    if (lexicon.terms[hit.word] != head || hit.place == text.range.from) continue;
    const std::uint32_t before = of.words[hit.place - 1];
    const std::int64_t between = std::int64_t{of.starts[hit.place]} - of.starts[hit.place - 1] -
                                 std::int64_t{lexicon.lengths[before]};
    if (between <= 2 && lexicon.values[before] == 0) return true;
  }
  return false;
}

bool is_figure(Wanted wanted) {
  return wanted == Wanted::number || wanted == Wanted::score || wanted == Wanted::date ||
         wanted == Wanted::none;
}

double type_missing_of(const Pool& pool, const Text& statement, bool has_times, const Text& title,
                       const std::vector<Name>& names) {
  const auto is_new = [&](std::uint32_t term) { return (pool.marks[term] & given) == 0; };
  const auto has_new = [&](const Name& name) {
    return std::any_of(name.begin(), name.end(), is_new);
  };
  const auto has_figure = [&] { return has_sign(statement, is_new_figure); };
  const Wanted wanted = pool.question.wanted;
  switch (wanted) {
    case Wanted::version:
      if (has_sign(statement, is_new_version) || has_sign(title, is_new_version)) return 0;
      return has_figure() ? 0.5 : 1;
    case Wanted::number:
    case Wanted::score:
      return has_figure() ? 0 : 1;
    case Wanted::date:
      return has_times ? 0 : 1;
    case Wanted::person:
    case Wanted::name:
    case Wanted::organisation:
    case Wanted::place:
      if (std::any_of(names.begin(), names.end(), has_new)) return 0;
      return wanted == Wanted::name && has_figure() ? 0 : 1;
    default:
      return 0;
  }
}

}  // namespace asof::facts
