// The words of all candidates of a question, and by their numbers what the question has of them.
#include <algorithm>
#include <string_view>

#include "facts/matching.hpp"

namespace asof::facts {
namespace {

/// Whether a text is a version within a value of the question: "15.3.0" of "15".
bool is_within(std::u16string_view text, std::u16string_view value) {
  if (text.size() <= value.size() || !text.starts_with(value)) return false;
  const char16_t next = text[value.size()];
  return next == u'.' || next == u'-' || next == u'_';
}

}  // namespace

Pool::Pool(const Lexicon& lexicon_, std::vector<std::shared_ptr<const Passage>> passages_,
           Question question_)
    : lexicon(lexicon_), passages(std::move(passages_)), question(std::move(question_)) {
  const std::vector<std::uint32_t> inside = read_words();
  mark_question();
  mark_versions();
  read_names(inside);
}

std::vector<std::uint32_t> Pool::read_words() {
  std::vector<std::uint32_t> inside(lexicon.words());
  std::vector<std::uint8_t> seen(lexicon.words());
  const auto read = [&](const Range& range) {
    for (std::uint32_t at = range.from; at < range.to; ++at) {
      const std::uint32_t word = range.of->words[at];
      if (range.of->opens[at] == 0) ++inside[word];
      if (seen[word] != 0) continue;
      seen[word] = 1;
      words.push_back(word);
    }
  };
  for (const auto& passage : passages) {
    read(passage->title_words());
    read(passage->text_words());
  }
  has.assign(lexicon.texts.size(), 0);
  for (const std::uint32_t word : words) has[lexicon.terms[word]] = 1;
  return inside;
}

void Pool::mark_question() {
  marks.assign(lexicon.texts.size(), 0);
  places_.assign(lexicon.texts.size(), 0);
  lows_.assign(lexicon.texts.size(), -1);
  const auto mark = [&](std::u16string_view term, Mark bit) -> std::int64_t {
    const auto number = lexicon.number_of(term);
    if (!number) return -1;
    marks[*number] |= bit;
    return *number;
  };
  for (std::size_t t = 0; t < question.terms.size(); ++t) {
    const Term& term = question.terms[t];
    const std::int64_t number = numbers_.emplace_back(mark(term.term, asked_term));
    if (number >= 0) places_[static_cast<std::size_t>(number)] = static_cast<std::uint16_t>(t);
    const auto low = lexicon.number_of(term.low);
    if (low) lows_[*low] = static_cast<std::int16_t>(t);
  }
  for (const auto& name : question.names)
    for (const std::uint32_t t : name) mark(question.terms[t].term, of_name);
  for (const std::u16string& form : question.anchor) mark(form, of_anchor);
  if (const auto number = lexicon.number_of(question.role); number && !question.role.empty())
    role = *number;
  for (const std::int64_t number : numbers_)
    in_pool.push_back(number >= 0 ? has[static_cast<std::size_t>(number)] : 0);
}

void Pool::mark_versions() {
  std::vector<std::uint32_t> values;
  for (std::uint32_t t = 0; t < question.terms.size(); ++t)
    if (question.terms[t].value) values.push_back(t);
  if (values.empty()) return;
  for (const std::uint32_t word : words) {
    const std::uint32_t term = lexicon.terms[word];
    if ((marks[term] & version_within) != 0) continue;
    for (const std::uint32_t t : values) {
      if (!is_within(lexicon.texts[term], question.terms[t].term)) continue;
      marks[term] |= version_within;
      versions_[term].push_back(t);
      in_pool[t] = 1;
    }
  }
}

bool Pool::is_value(std::uint32_t term, std::uint32_t t) const {
  if ((marks[term] & asked_term) != 0 && place_of(term) == t) return true;
  if ((marks[term] & version_within) == 0) return false;
  const std::vector<std::uint32_t>& values = values_of(term);
  return std::find(values.begin(), values.end(), t) != values.end();
}

std::vector<std::uint32_t> Pool::weighed() const {
  std::vector<std::uint32_t> found;
  std::vector<std::uint8_t> seen(lexicon.texts.size());
  const auto add = [&](std::uint32_t term) {
    if (seen[term] == 0) found.push_back(term);
    seen[term] = 1;
  };
  // Other names and titles are not weighed: they agree with nothing of the question.
  const auto is_sought = [&](std::uint32_t term) { return (marks[term] & of_name) != 0; };
  const auto add_names = [&](const std::vector<Name>& group) {
    for (const Name& name : group)
      if (std::any_of(name.begin(), name.end(), is_sought))
        std::for_each(name.begin(), name.end(), add);
  };
  const auto is_asked = [&](std::uint32_t word) {
    return lexicon.values[word] == 0 && (marks[lexicon.terms[word]] & asked_term) != 0;
  };
  const auto add_title = [&](const std::vector<std::uint32_t>& title) {
    if (std::none_of(title.begin(), title.end(), is_asked)) return;
    for (const std::uint32_t word : title)
      if (lexicon.values[word] == 0) add(lexicon.terms[word]);
  };
  for (std::size_t candidate = 0; candidate < passages.size(); ++candidate) {
    add_title(passages[candidate]->title.words);
    add_names(names[candidate].title);
    for (const std::vector<Name>& group : names[candidate].statements) add_names(group);
  }
  return found;
}

}  // namespace asof::facts
