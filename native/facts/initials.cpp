#include "facts/initials.hpp"

#include <algorithm>

namespace asof::facts {
namespace {

constexpr std::size_t longest = 5;

class Search {
 public:
  Search(const Lexicon& lexicon, std::span<const std::u16string> sought)
      : lexicon_(lexicon), sought_(sought), written_(sought.size()) {
    for (const std::u16string& each : sought) {
      const auto number = lexicon.number_of(each);
      numbers_.push_back(number ? *number : none);
    }
  }

  void read(const Range& range, std::uint32_t passage, bool in_title) {
    for (std::uint32_t first = range.from; first < range.to; ++first) {
      const std::uint32_t low = lexicon_.lows[range.of->words[first]];
      for (std::size_t nth = 0; nth < numbers_.size(); ++nth)
        if (numbers_[nth] == low) written_[nth] = true;
      read_run(range, first, passage, in_title);
    }
  }

  std::vector<NamedInitials> found() && {
    std::erase_if(found_, [&](const NamedInitials& each) { return written_[each.initials]; });
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void read_run(const Range& range, std::uint32_t first, std::uint32_t passage, bool in_title) {
    const auto& [words, starts, opens, joins, length] = *range.of;
    std::u16string run;
    for (std::uint32_t at = first; at < range.to && run.size() < longest; ++at) {
      const std::uint32_t word = words[at];
      if (!lexicon_.capitals[word] || lexicon_.values[word] || (at > first && !joins[at])) return;
      run += lexicon_.texts[lexicon_.lows[word]].front();
      const auto same = std::find(sought_.begin(), sought_.end(), run);
      if (run.size() > 1 && same != sought_.end())
        found_.push_back({static_cast<std::uint32_t>(same - sought_.begin()), passage, in_title,
                          starts[first], starts[at] + lexicon_.lengths[word]});
    }
  }

  const Lexicon& lexicon_;
  std::span<const std::u16string> sought_;
  std::vector<std::uint32_t> numbers_;  // of the initials as words
  std::vector<bool> written_;
  std::vector<NamedInitials> found_;
};

}  // namespace

std::vector<NamedInitials> names_of_initials(
    const Lexicon& lexicon, std::span<const std::shared_ptr<const Passage>> passages,
    std::span<const std::u16string> sought) {
  Search search(lexicon, sought);
  for (std::uint32_t nth = 0; nth < passages.size(); ++nth) {
    const Passage& passage = *passages[nth];
    search.read(passage.title_words(), nth, true);
    for (const Statement& each : passage.statements)
      if (!each.whole) search.read(passage.words_of(each), nth, each.title);
  }
  return std::move(search).found();
}

}  // namespace asof::facts
