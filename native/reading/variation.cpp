// Words that passages share, found by the first of their letters and digits.
#include "reading/variation.hpp"

#include <algorithm>
#include <optional>

#include "text/forms.hpp"

namespace asof::reading {
namespace {

std::size_t end_of_run(const Text& text, std::size_t at) {
  while (text.is(at, alphanumeric)) ++at;
  return at;
}

std::size_t start_of_run(const Text& text) {
  std::size_t at = 0;
  while (at < text.size() && !text.is(at, alphanumeric)) ++at;
  return at;
}

/// Whether a place in a text is inside a word.
bool is_inside(const Text& text, std::size_t at) {
  return at > 0 && text.is(at - 1, alphanumeric) && text.is(at, alphanumeric);
}

/// Share of a word that is not there.
constexpr double no_neighbour = 0.7;
/// UTF-16 units beside a span that are looked at.
constexpr std::size_t reach = 40;

}  // namespace

Variation::Variation(const std::vector<Text>& texts) : texts_(texts.size()) {
  if (texts.size() < 2) return;
  for (std::size_t passage = 0; passage < texts.size(); ++passage) {
    Lower& lower = texts_[passage];
    lower.original = texts[passage];
    lower.units = text::lower_case(texts[passage].units);
    kinds_of(lower.units, lower.kinds);
    const Text text = lower.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = end_of_run(text, at);
      if (end > at)
        runs_[text.words(at, end)].emplace_back(static_cast<std::uint32_t>(passage),
                                                static_cast<std::uint32_t>(at));
      at = std::max(end, at + 1);
    }
  }
}

Variability Variation::of(std::size_t passage, const Span& span) {
  if (texts_.size() < 2) return {};
  const Text& text = texts_[passage].original;
  double shares = 0;
  std::size_t words = 0;
  for (std::size_t at = span.start; at < span.end;) {
    const Text part = text.part(0, span.end);
    std::size_t end = end_of_run(part, at);
    while (end > at && part.is_one_of(end, u".,'’-") && part.is(end + 1, alphanumeric))
      end = end_of_run(part, end + 1);
    if (end > at) {
      shares += share_of(passage, at, end);
      ++words;
    }
    at = std::max(end, at + 1);
  }
  const double within = shares / static_cast<double>(std::max<std::size_t>(words, 1));
  // What is behind a mark has no neighbour there.
  double before = no_neighbour, behind = no_neighbour;
  if (span.start > 0 && text.is(span.start - 1, u' ')) {
    const std::size_t end = span.start - 1,
                      least = span.start - std::min<std::size_t>(span.start, reach);
    std::size_t start = end;
    while (start > least &&
           (text.is(start - 1, alphanumeric) || text.is_one_of(start - 1, u".'’-")))
      --start;
    if (start < end) before = share_of(passage, start, end);
  }
  if (text.is(span.end, u' ')) {
    const std::size_t start = span.end + 1, most = span.end + reach;
    std::size_t end = start;
    while (end < most && (text.is(end, alphanumeric) || text.is_one_of(end, u"'’-"))) ++end;
    if (end > start) behind = share_of(passage, start, end);
  }
  return {share_of(passage, span.start, span.end), (1 - within) * ((before + behind) / 2)};
}

double Variation::share_of(std::size_t passage, std::size_t start, std::size_t end) {
  const Lower& own = texts_[passage];
  while (start < end && own.original.is(start, blank)) ++start;
  while (end > start && own.original.is(end - 1, blank)) --end;
  // Few characters are of another length in lower case.
  if (own.units.size() == own.original.size())
    return share_of(passage, own.text().words(start, end));
  return share_of(passage, text::lower_case(own.original.words(start, end)));
}

double Variation::share_of(std::size_t but, std::u16string_view words) {
  auto known = known_.find(std::u16string(words));
  if (known == known_.end()) known = known_.emplace(std::u16string(words), holders_of(words)).first;
  const Holders& holders = known->second;
  const std::size_t count = holders.count - (holders.has[but] ? 1 : 0);
  return static_cast<double>(count) / static_cast<double>(texts_.size() - 1);
}

Variation::Holders Variation::holders_of(std::u16string_view words) const {
  Holders holders{std::vector<bool>(texts_.size())};
  if (words.empty()) return holders;
  std::vector<std::uint8_t> kinds;
  kinds_of(words, kinds);
  const Text own = {words, kinds.data()};
  const std::size_t start = start_of_run(own), end = end_of_run(own, start);
  const auto hold = [&](std::size_t passage) {
    holders.has[passage] = true;
    ++holders.count;
  };
  if (start == end) {  // signs alone
    for (std::size_t passage = 0; passage < texts_.size(); ++passage)
      if (has(passage, words)) hold(passage);
    return holders;
  }
  const auto places = runs_.find(words.substr(start, end - start));
  if (places == runs_.end()) return holders;
  for (const auto& [passage, place] : places->second) {
    if (holders.has[passage] || place < start) continue;
    const Text text = texts_[passage].text();
    const std::size_t at = place - start;
    if (text.starts(at, words) && !is_inside(text, at + words.size())) hold(passage);
  }
  return holders;
}

bool Variation::has(std::size_t passage, std::u16string_view words) const {
  return texts_[passage].units.find(words) != std::u16string::npos;
}

}  // namespace asof::reading
