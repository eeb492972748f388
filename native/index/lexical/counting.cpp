// Passes over rows and postings.
#include "index/lexical/counting.hpp"

namespace asof::lexical {
namespace {

std::span<const std::uint32_t> passages_of_rows(const Reader& reader) {
  const auto passages = reader.segment().section<std::uint32_t>(asof::schema::row_passage);
  if (passages.size() != reader.parts().rows)
    reader.corrupt(asof::schema::row_passage, "does not match the number of rows");
  return passages;
}

}  // namespace

std::shared_ptr<CountedRows> counted_rows(const Reader& reader,
                                          std::span<const std::uint8_t> passages) {
  return reader.segment().counted_rows().of(passages, [&](CountedRows& counted) {
    const auto row_passage = passages_of_rows(reader);
    const auto length = reader.row_length();
    for (std::size_t part = 0; part < 3; ++part) {
      std::uint64_t rows = 0, tokens = 0;
      for (std::uint64_t row = reader.parts().begin(part); row < reader.parts().end(part); ++row) {
        if (!counted.counts(row_passage[row])) continue;
        rows += 1;
        tokens += length[row];
      }
      counted.rows[part] = rows;
      counted.tokens[part] = tokens;
    }
  });
}

std::array<std::uint32_t, 3> rows_with_term(CountedRows& counted, const Reader& reader,
                                            std::uint32_t term) {
  return counted.with_term(term, [&] {
    const auto row_passage = passages_of_rows(reader);
    std::array<std::uint32_t, 3> rows{};
    for (Cursor cursor(reader, term); !cursor.done(); cursor.next_block())
      for (const std::uint32_t row : cursor.rows())
        if (row < row_passage.size() && counted.counts(row_passage[row]))
          rows[reader.parts().of(row)] += 1;
    return rows;
  });
}

}  // namespace asof::lexical
