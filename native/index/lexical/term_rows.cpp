// Numbers of terms by words, and rows of passages and sentences.
#include "index/lexical/term_rows.hpp"

#include "core/error.hpp"
#include "text/forms.hpp"
#include "text/unicode.hpp"

namespace asof::lexical {
namespace {

/// Without lone surrogates, which no term has.
void append_utf8(std::vector<std::uint8_t>& bytes, std::u16string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = unicode::next(text, at);
    const auto put = [&](char32_t byte) { bytes.push_back(static_cast<std::uint8_t>(byte)); };
    const auto put_rest = [&](unsigned shift) { put(0x80 | (code >> shift & 63)); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xc0 | code >> 6);
      put_rest(0);
    } else if (code < 0x10000) {
      put(0xe0 | code >> 12);
      put_rest(6);
      put_rest(0);
    } else {
      put(0xf0 | code >> 18);
      put_rest(12);
      put_rest(6);
      put_rest(0);
    }
  }
}

}  // namespace

void TermRows::add(std::u16string_view title, std::u16string_view text,
                   std::span<const text::Span> sentences) {
  add_part(title);
  for (const text::Span& each : sentences) add_part(text.substr(each.start, each.end - each.start));
  ends_.push_back(token_ends_.size());
}

void TermRows::keep(std::size_t passages) {
  ends_.resize(passages);
  token_ends_.resize(passages == 0 ? 0 : ends_.back());
  tokens_.resize(token_ends_.empty() ? 0 : token_ends_.back());
}

void TermRows::add_part(std::u16string_view text) {
  std::u16string normal;
  if (!text::is_composed(text)) text = normal = text::composed(text);
  spans_.clear();
  text::find_words(text, spans_);
  for (const text::Span& each : spans_) {
    const std::uint32_t term = term_of(text.substr(each.start, each.end - each.start));
    if (term != no_term) tokens_.push_back(term);
  }
  token_ends_.push_back(static_cast<std::uint32_t>(tokens_.size()));
}

std::uint32_t TermRows::term_of(std::u16string_view word) {
  if (const auto known = word_numbers_.find(word, words_)) return term_of_word_[*known];
  std::u16string term = text::term_of(word);
  std::uint32_t number = no_term;
  if (!term.empty()) {
    const auto known = term_numbers_.find(term, terms_);
    number = known ? *known : static_cast<std::uint32_t>(terms_.size());
    if (!known) {
      term_numbers_.reserve();
      terms_.push_back(std::move(term));
      term_numbers_.add(terms_.back());
    }
  }
  word_numbers_.reserve();
  if (term_of_word_.size() == term_of_word_.capacity())
    term_of_word_.reserve(2 * term_of_word_.size() + 64);
  words_.emplace_back(word);  // the last that may fail
  word_numbers_.add(word);
  term_of_word_.push_back(number);
  return number;
}

RowTerms TermRows::rows(std::span<const std::uint32_t> passage_of_row) const {
  RowTerms rows;
  rows.term_offsets.push_back(0);
  for (const std::u16string& term : terms_) {
    append_utf8(rows.term_bytes, term);
    rows.term_offsets.push_back(static_cast<std::uint32_t>(rows.term_bytes.size()));
  }
  const auto append = [&](std::size_t part, std::size_t end) {
    const auto from = tokens_.begin() + (part == 0 ? 0 : token_ends_[part - 1]);
    rows.row_terms.insert(rows.row_terms.end(), from, tokens_.begin() + token_ends_[end - 1]);
  };
  std::vector<std::size_t> next(passages());  // sentence of each passage
  for (std::size_t passage = 0; passage < passages(); ++passage)
    next[passage] = 1 + (passage == 0 ? 0 : ends_[passage - 1]);
  rows.row_offsets.push_back(0);
  for (std::size_t row = 0; row < passage_of_row.size(); ++row) {
    const std::uint32_t passage = passage_of_row[row];
    if (passage >= passages())
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected rows to be those of passages that were added, received others.");
    const std::size_t title = passage == 0 ? 0 : ends_[passage - 1];
    if (row < passages()) {
      append(title, ends_[passage]);
    } else {
      if (next[passage] == ends_[passage])
        throw Error("ERR_INVALID_ARGUMENT",
                    "Expected rows to be those of sentences, received one too many.");
      append(title, title + 1);
      append(next[passage], next[passage] + 1);
      ++next[passage];
    }
    rows.row_offsets.push_back(static_cast<std::uint32_t>(rows.row_terms.size()));
  }
  return rows;
}

}  // namespace asof::lexical
