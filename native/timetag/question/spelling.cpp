// Slips of spelling in the words of time: one letter more or less, another one, or two exchanged.
// The first letter is seldom wrong, and is not mended.
#include <algorithm>
#include <string>

#include "timetag/question/wording.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t shortest = 5;  // shorter words have too many neighbours

// Words and names that are one slip from a word of time.
constexpr std::string_view own_words =
    " abort abound abut aground alter aster augusta auguste augusto avril coding coking "
    "combing cooing coping currant currents daring decide decides decode easier eastern "
    "eater eights elven ester filth firs firsts firth fist footy foray fort forte forth "
    "fortis forts frida hors horus jane jude judy juke jung junk juno jure jury jute lager "
    "laser latex lather lauer laver layer liter mach marc marche marco marcy marsh match "
    "merch minuet mont monte montes monty moth moths mouth mouths niceties precious prion "
    "priors priory pryor quartet quartets ramada seaton semen sever severn simmer sine singe "
    "sith sommer sparing sprig springs springy sprint spying steven string summed summers "
    "summery sumner sumter sunda sundae sundry sven teeth tent tents thee there thirsty "
    "thorough though throughput thugs thus toddy tours tree trough twente untie weeds weeps "
    "winder winer winger winner winners winters yearn yearns yeats ";

bool is_time_word(std::string_view word, Lexeme lexeme) {
  switch (lexeme.cls) {
    case Class::month:
    case Class::weekday:
    case Class::season:
    case Class::unit:
    case Class::ordinal:
    case Class::cardinal:
    case Class::tens:
    case Class::deictic:
    case Class::shift:
    case Class::holiday:
    case Class::weekdays:
      return word.size() >= shortest || word == "july" || word == "june";
    case Class::function:
      return word.size() >= shortest && lexeme.value >= static_cast<int>(Function::during) &&
             lexeme.value <= static_cast<int>(Function::earlier);
    default:
      return false;
  }
}

// In alphabetical order.
const std::vector<std::string_view>& time_words() {
  static const std::vector<std::string_view> found = [] {
    std::vector<std::string_view> words = lexicon_words();
    std::erase_if(words, [](std::string_view word) { return !is_time_word(word, look_up(word)); });
    std::sort(words.begin(), words.end());
    return words;
  }();
  return found;
}

}  // namespace

bool within_one_slip(std::string_view one, std::string_view other) {
  if (one.size() > other.size()) std::swap(one, other);
  if (other.size() - one.size() > 1) return false;
  const std::size_t same = static_cast<std::size_t>(
      std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  if (same == one.size()) return true;
  if (one.size() < other.size()) return one.substr(same) == other.substr(same + 1);
  if (one.substr(same + 1) == other.substr(same + 1)) return true;
  return same + 1 < one.size() && one[same] == other[same + 1] && one[same + 1] == other[same] &&
         one.substr(same + 2) == other.substr(same + 2);
}

std::string_view mended(const std::string& word) {
  if (word.size() + 1 < shortest || own_words.find(' ' + word + ' ') != std::string_view::npos)
    return {};
  const std::vector<std::string_view>& words = time_words();
  for (auto each =
           std::lower_bound(words.begin(), words.end(), std::string_view(word).substr(0, 1));
       each != words.end() && (*each)[0] == word[0]; ++each) {
    if (within_one_slip(word, *each)) return *each;
  }
  return {};
}

}  // namespace asof::timetag
