// Recount of all postings.
#include "index/lexical/verify.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "index/lexical/reader.hpp"

namespace asof::lexical {
namespace {

constexpr std::uint32_t terms_per_check = 1024;

/// Recounts the postings of one term.
class Recount {
 public:
  explicit Recount(const Reader& reader) : reader_(reader), lengths_(reader.parts().rows) {}

  void term(std::uint32_t term) {
    std::array<std::uint32_t, 3> frequency{};
    if (reader_.first_block(term) != blocks_)
      reader_.corrupt(schema::term_block, "does not follow the terms");
    Cursor cursor(reader_, term);
    blocks_ = cursor.end_block();
    for (; !cursor.done(); cursor.next_block()) {
      const auto rows = cursor.rows(), frequencies = cursor.frequencies();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        frequency[reader_.parts().of(rows[i])] += 1;
        lengths_[rows[i]] += frequencies[i];
        if (!reader_.bounds(cursor.block(), frequencies[i], reader_.row_length()[rows[i]]))
          reader_.corrupt(schema::impacts, "bounds a block by less than its postings");
      }
    }
    if (frequency != reader_.frequency(term))
      reader_.corrupt(schema::term_frequency, "differs from the postings");
    postings_ += cursor.postings();
  }

  void totals() const {
    if (!std::ranges::equal(lengths_, reader_.row_length()))
      reader_.corrupt(schema::row_length, "differs from the postings");
    std::array<std::uint64_t, 3> tokens{};
    for (std::size_t row = 0; row < lengths_.size(); ++row)
      tokens[reader_.parts().of(row)] += lengths_[row];
    const std::uint64_t longest =
        lengths_.empty() ? 0 : *std::max_element(lengths_.begin(), lengths_.end());
    const bool adds_up = blocks_ == reader_.blocks() && postings_ == reader_.postings() &&
                         longest == reader_.longest_row() && tokens[0] == reader_.tokens(0) &&
                         tokens[1] == reader_.tokens(1) && tokens[2] == reader_.tokens(2);
    if (!adds_up) reader_.corrupt(schema::counts, "differs from the postings");
  }

 private:
  const Reader& reader_;
  std::vector<std::uint32_t> lengths_;
  std::uint64_t postings_ = 0;
  std::uint32_t blocks_ = 0;
};

}  // namespace

void verify_postings(const Segment& segment, const Cancel& cancel) {
  const Reader reader(segment);
  Recount recount(reader);
  for (std::uint32_t term = 0; term < reader.terms(); ++term) {
    if (term % terms_per_check == 0) cancel.throw_if_requested();
    if (term > 0 && reader.term(term - 1) >= reader.term(term))
      reader.corrupt(schema::term_bytes, "does not ascend");
    recount.term(term);
  }
  recount.totals();
  segment.throw_if_faulted();
}

}  // namespace asof::lexical
