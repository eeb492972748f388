// Counting of rows and postings by passages, and the cache of their counts.
#include "index/lexical/counted_rows.hpp"

#include <algorithm>

#include "index/lexical/reader.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t max_terms = 65'536;  // of a set, some 3 MB

std::span<const std::uint32_t> passages_of_rows(const Reader& reader) {
  const auto passages = reader.segment().section<std::uint32_t>(asof::schema::row_passage);
  if (passages.size() != reader.parts().rows)
    reader.corrupt(asof::schema::row_passage, "does not match the number of rows");
  return passages;
}

}  // namespace

CountedRows::CountedRows(const Reader& reader, std::span<const std::uint8_t> passages)
    : passages_(passages.begin(), passages.end()) {
  const auto row_passage = passages_of_rows(reader);
  const auto length = reader.row_length();
  for (std::size_t part = 0; part < 3; ++part) {
    std::uint64_t rows = 0, tokens = 0;
    for (std::uint64_t row = reader.parts().begin(part); row < reader.parts().end(part); ++row) {
      if (!counts(row_passage[row])) continue;
      rows += 1;
      tokens += length[row];
    }
    rows_[part] = rows;
    tokens_[part] = tokens;
  }
}

std::array<std::uint32_t, 3> CountedRows::with_term(const Reader& reader, std::uint32_t term) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = with_term_.find(term); known != with_term_.end()) return known->second;
  }
  const auto row_passage = passages_of_rows(reader);
  std::array<std::uint32_t, 3> rows{};
  for (Cursor cursor(reader, term); !cursor.done(); cursor.next_block())
    for (const std::uint32_t row : cursor.rows())
      if (row < row_passage.size() && counts(row_passage[row])) rows[reader.parts().of(row)] += 1;
  const std::lock_guard lock(mutex_);
  if (with_term_.size() >= max_terms) with_term_.clear();
  with_term_.emplace(term, rows);
  return rows;
}

std::shared_ptr<CountedRows> CountedRowsCache::of(const Reader& reader,
                                                  std::span<const std::uint8_t> passages) {
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find_if(latest_, [&](const std::shared_ptr<CountedRows>& each) {
    return std::ranges::equal(each->passages(), passages);
  });
  if (found == latest_.end()) {
    if (latest_.size() >= capacity) latest_.pop_back();
    latest_.push_front(std::make_shared<CountedRows>(reader, passages));
  } else {
    latest_.splice(latest_.begin(), latest_, found);
  }
  return latest_.front();
}

}  // namespace asof::lexical
