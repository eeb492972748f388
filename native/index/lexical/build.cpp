// Construction of postings from counted tokens, and merging of postings under row maps.
#include "index/lexical/build.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/threads.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t rows_per_task = 8192;

[[noreturn]] void refuse(const std::string& what, const std::string& expected,
                         const std::string& received) {
  throw Error("ERR_INVALID_ARGUMENT",
              "Expected " + what + " to be " + expected + ", received " + received + ".");
}

void check_offsets(const std::vector<std::uint32_t>& offsets, std::size_t end, const char* name) {
  bool sound = !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
               std::is_sorted(offsets.begin(), offsets.end());
  if (!sound) refuse(name, "ascending offsets from 0 to " + std::to_string(end), "others");
}

std::string_view term_of(const RowTerms& rows, std::uint32_t number) {
  std::uint32_t begin = rows.term_offsets[number];
  return {reinterpret_cast<const char*>(rows.term_bytes.data()) + begin,
          rows.term_offsets[number + 1] - begin};
}

/// Term numbers ascending by bytes.
std::vector<std::uint32_t> sorted_terms(const RowTerms& rows) {
  std::vector<std::uint32_t> order(rows.term_offsets.size() - 1);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return term_of(rows, a) < term_of(rows, b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (term_of(rows, order[i]) == term_of(rows, order[i - 1]))
      refuse("terms", "distinct", std::string(term_of(rows, order[i])) + " twice");
  }
  return order;
}

/// Sorts each row's tokens by rank, so that repetitions are adjacent.
void rank_rows(RowTerms& rows, const std::vector<std::uint32_t>& rank, const Cancel& cancel) {
  std::size_t count = rows.row_offsets.size() - 1;
  parallel_for((count + rows_per_task - 1) / rows_per_task, 0, [&](std::size_t task, std::size_t) {
    cancel.throw_if_requested();
    for (std::size_t row = task * rows_per_task; row < std::min(count, (task + 1) * rows_per_task);
         ++row) {
      auto begin = rows.row_terms.begin() + rows.row_offsets[row],
           end = rows.row_terms.begin() + rows.row_offsets[row + 1];
      for (auto each = begin; each != end; ++each) *each = rank[*each];
      std::sort(begin, end);
    }
  });
}

template <typename Visit>
void for_runs(const RowTerms& rows, std::size_t row, Visit visit) {
  for (std::uint32_t at = rows.row_offsets[row]; at < rows.row_offsets[row + 1];) {
    std::uint32_t from = at, term = rows.row_terms[at];
    while (at < rows.row_offsets[row + 1] && rows.row_terms[at] == term) ++at;
    visit(term, at - from);
  }
}

/// Each term's number in the dictionary, which lacks terms without rows: they have that of the next
/// one. Ends with the size of the dictionary.
std::vector<std::uint32_t> dictionary_numbers(const RowTerms& rows,
                                              const std::vector<std::uint32_t>& rank) {
  std::vector<std::uint32_t> numbers(rank.size() + 1, 0);
  for (const std::uint32_t term : rows.row_terms) {
    if (term >= rank.size())
      refuse("rowTerms", "term numbers below " + std::to_string(rank.size()), std::to_string(term));
    numbers[rank[term] + 1] = 1;
  }
  std::partial_sum(numbers.begin(), numbers.end(), numbers.begin());
  return numbers;
}

/// Each passage's whole row, one of the first P; checks rows and titles.
std::vector<std::uint32_t> whole_rows(const RowTerms& rows, const Parts& parts) {
  if (rows.row_passage.size() != parts.rows)
    refuse("rowPassage", "of " + std::to_string(parts.rows) + " rows",
           std::to_string(rows.row_passage.size()));
  if (rows.title_length.size() != parts.passages)
    refuse("titleLengths", "of " + std::to_string(parts.passages) + " passages",
           std::to_string(rows.title_length.size()));
  std::vector<std::uint32_t> whole(parts.passages, dropped_row);
  for (std::uint32_t row = 0; row < parts.rows; ++row) {
    const std::uint32_t passage = rows.row_passage[row];
    if (passage >= parts.passages || (row < parts.passages && whole[passage] != dropped_row))
      refuse("rowPassage", "each passage's number once among its first rows",
             std::to_string(passage));
    if (row < parts.passages) whole[passage] = row;
    const std::uint32_t length = rows.row_offsets[row + 1] - rows.row_offsets[row];
    if (rows.title_length[passage] > length)
      refuse("titleLengths", "no longer than the rows of their passages",
             std::to_string(rows.title_length[passage]));
  }
  return whole;
}

/// Forward sections of rows whose tokens are in the order of their texts.
ForwardSections forward_sections(const RowTerms& rows, const Parts& parts,
                                 const std::vector<std::uint32_t>& rank,
                                 const std::vector<std::uint32_t>& numbers, const Cancel& cancel) {
  if (!rows.titled) return {};
  const std::vector<std::uint32_t> whole = whole_rows(rows, parts);
  ForwardWriter writer(parts, numbers.back());
  std::vector<std::uint32_t> text;
  auto add = [&](std::uint32_t from, std::uint32_t to) {
    text.clear();
    for (std::uint32_t at = from; at < to; ++at) text.push_back(numbers[rank[rows.row_terms[at]]]);
    writer.text(text);
  };
  for (std::size_t passage = 0; passage < whole.size(); ++passage)
    add(rows.row_offsets[whole[passage]],
        rows.row_offsets[whole[passage]] + rows.title_length[passage]);
  for (std::uint64_t row = parts.multi_sentence; row < parts.rows; ++row) {
    if (row % rows_per_task == 0) cancel.throw_if_requested();
    add(rows.row_offsets[row] + rows.title_length[rows.row_passage[row]],
        rows.row_offsets[row + 1]);
  }
  return writer.finish();
}

}  // namespace

std::vector<SectionData> LexicalSections::sections() const {
  std::vector<SectionData> all = postings.sections();
  if (forward.offset.empty()) return all;
  all.push_back(
      {schema::forward_offset, Element::u32, forward.offset.data(), forward.offset.size()});
  all.push_back({schema::forward_terms, Element::u8, forward.terms.data(), forward.terms.size()});
  return all;
}

LexicalSections build_postings(RowTerms rows, const Parts& parts, const Cancel& cancel) {
  check_offsets(rows.term_offsets, rows.term_bytes.size(), "termOffsets");
  check_offsets(rows.row_offsets, rows.row_terms.size(), "rowOffsets");
  std::size_t count = rows.row_offsets.size() - 1;
  if (count != parts.rows)
    refuse("rowOffsets", "of " + std::to_string(parts.rows) + " rows", std::to_string(count));
  std::vector<std::uint32_t> order = sorted_terms(rows), rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
  ForwardSections forward =
      forward_sections(rows, parts, rank, dictionary_numbers(rows, rank), cancel);
  rank_rows(rows, rank, cancel);

  std::vector<std::size_t> start(order.size() + 1, 0);
  for (std::size_t row = 0; row < count; ++row)
    for_runs(rows, row, [&](std::uint32_t term, std::uint32_t) { start[term + 1] += 1; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Posting> postings(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  std::vector<std::uint32_t> lengths(count);
  for (std::size_t row = 0; row < count; ++row) {
    if (row % rows_per_task == 0) cancel.throw_if_requested();
    lengths[row] = rows.row_offsets[row + 1] - rows.row_offsets[row];
    for_runs(rows, row, [&](std::uint32_t term, std::uint32_t frequency) {
      postings[next[term]++] = {static_cast<std::uint32_t>(row), frequency};
    });
  }
  PostingsWriter writer(parts, std::move(lengths));
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % rows_per_task == 0) cancel.throw_if_requested();
    if (start[i] == start[i + 1]) continue;  // a term without rows
    writer.term(term_of(rows, order[i]), {postings.data() + start[i], start[i + 1] - start[i]});
  }
  return {writer.finish(), std::move(forward)};
}

namespace {

std::vector<std::uint32_t> row_lengths(std::span<const MergeSource> sources, const Parts& parts) {
  std::vector<std::uint32_t> lengths(parts.rows, 0);
  std::vector<bool> has_source(parts.rows, false);
  std::uint64_t count = 0;
  for (const MergeSource& source : sources) {
    if (source.new_row.size() != source.reader->parts().rows) {
      refuse("a row map", "of " + std::to_string(source.reader->parts().rows) + " rows",
             std::to_string(source.new_row.size()));
    }
    for (std::size_t row = 0; row < source.new_row.size(); ++row) {
      std::uint32_t to = source.new_row[row];
      if (to == dropped_row) continue;
      if (to >= parts.rows || has_source[to])
        refuse("row maps", "one source row for each of " + std::to_string(parts.rows) + " rows",
               "row " + std::to_string(to) + (to < parts.rows ? " twice" : ""));
      has_source[to] = true;
      lengths[to] = source.reader->row_length()[row];
      count += 1;
    }
  }
  if (count != parts.rows)
    refuse("row maps", "one source row for each of " + std::to_string(parts.rows) + " rows",
           std::to_string(count) + " of them");
  return lengths;
}

struct Origin {
  std::uint32_t source = dropped_row, number = 0;
};

/// The source of each title and sentence of the result, in the order of its forward sections.
std::vector<Origin> text_origins(std::span<const MergeSource> sources, const Parts& parts) {
  std::vector<Origin> origins(forward_texts(parts));
  auto set_origin = [&](std::uint64_t text, std::size_t source, std::size_t number) {
    if (text >= origins.size() || origins[text].source != dropped_row)
      refuse("passage maps", "one source passage for each of " + std::to_string(parts.passages),
             "others");
    origins[text] = {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(number)};
  };
  std::size_t count = 0;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Parts& own = sources[s].reader->parts();
    if (sources[s].new_passage.size() != own.passages)
      refuse("a passage map", "of " + std::to_string(own.passages) + " passages",
             std::to_string(sources[s].new_passage.size()));
    for (std::size_t p = 0; p < own.passages; ++p) {
      const std::uint32_t to = sources[s].new_passage[p];
      if (to == dropped_row) continue;
      if (to >= parts.passages)
        refuse("passage maps", "numbers below " + std::to_string(parts.passages),
               std::to_string(to));
      set_origin(to, s, p);
      count += 1;
    }
    for (std::size_t row = own.multi_sentence; row < own.rows; ++row) {
      const std::uint32_t to = sources[s].new_row[row];
      if (to == dropped_row) continue;
      if (to < parts.multi_sentence)
        refuse("row maps", "sentences that stay sentences", "row " + std::to_string(to));
      set_origin(parts.passages + to - parts.multi_sentence, s, row);
      count += 1;
    }
  }
  if (count != origins.size())
    refuse("row and passage maps", "a source for each title and sentence", "fewer");
  return origins;
}

/// `numbers[s]` are the result's numbers of the terms of source s.
ForwardSections merge_forward(std::span<const MergeSource> sources, const Parts& parts,
                              const std::vector<std::vector<std::uint32_t>>& numbers,
                              std::uint64_t terms, const Cancel& cancel) {
  std::vector<Forward> readers;
  for (const MergeSource& source : sources) readers.emplace_back(*source.segment, *source.reader);
  const std::vector<Origin> origins = text_origins(sources, parts);
  ForwardWriter writer(parts, terms);
  Texts one;
  for (std::size_t text = 0; text < origins.size(); ++text) {
    if (text % rows_per_task == 0) cancel.throw_if_requested();
    const auto [source, number] = origins[text];
    one.terms.clear();
    if (text < parts.passages)
      readers[source].title(number, one);
    else
      readers[source].sentence(number, one);
    for (std::uint32_t& term : one.terms) {
      term = numbers[source][term];
      if (term >= terms)
        readers[source].corrupt(schema::forward_terms, "has terms that its postings lack");
    }
    writer.text(one.terms);
    one.offsets.resize(1);
  }
  return writer.finish();
}

}  // namespace

LexicalSections merge_postings(std::span<const MergeSource> sources, const Parts& parts,
                               const Cancel& cancel) {
  PostingsWriter writer(parts, row_lengths(sources, parts));
  std::vector<std::vector<std::uint32_t>> numbers(sources.size());
  for (std::size_t s = 0; s < sources.size(); ++s)
    numbers[s].assign(sources[s].reader->terms(), dropped_row);
  std::uint32_t term_count = 0;
  std::vector<std::uint32_t> next(sources.size(), 0);
  std::vector<Posting> postings;
  for (std::size_t step = 0;; ++step) {
    if (step % 1024 == 0) cancel.throw_if_requested();
    std::string_view next_term;
    bool any = false;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      if (next[s] >= sources[s].reader->terms()) continue;
      std::string_view term = sources[s].reader->term(next[s]);
      if (!any || term < next_term) next_term = term;
      any = true;
    }
    if (!any) break;
    postings.clear();
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Reader& reader = *sources[s].reader;
      if (next[s] >= reader.terms() || reader.term(next[s]) != next_term) continue;
      for (Cursor cursor(reader, next[s]); !cursor.done(); cursor.next_block()) {
        auto rows = cursor.rows(), frequencies = cursor.frequencies();
        for (std::size_t i = 0; i < rows.size(); ++i) {
          std::uint32_t to = sources[s].new_row[rows[i]];
          if (to != dropped_row) postings.push_back({to, frequencies[i]});
        }
      }
      numbers[s][next[s]] = term_count;
      next[s] += 1;
    }
    if (postings.empty()) continue;
    std::sort(postings.begin(), postings.end(),
              [](const Posting& a, const Posting& b) { return a.row < b.row; });
    writer.term(next_term, postings);
    term_count += 1;
  }
  const bool forward =
      !sources.empty() && std::all_of(sources.begin(), sources.end(), [](const MergeSource& each) {
        return each.segment && Forward::in(*each.segment);
      });
  return {writer.finish(),
          forward ? merge_forward(sources, parts, numbers, term_count, cancel) : ForwardSections()};
}

}  // namespace asof::lexical
