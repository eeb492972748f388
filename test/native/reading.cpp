// The extractive reader on random soups of words, marks and broken surrogates: every candidate lies
// in its passage, has finite features, and the best one a probability; the same again is the same.
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "reading/score.hpp"

using namespace asof;
using namespace asof::reading;

namespace {

const std::vector<std::u16string> pieces = {u"Ada",        u"Lund",
                                            u"of ",        u"the ",
                                            u"10",         u"$",
                                            u"%",          u"million ",
                                            u"twenty-",    u"one ",
                                            u"7-6(2)",     u", ",
                                            u"6-4 ",       u"(",
                                            u")",          u"\"",
                                            u"\u201c",     u"`",
                                            u"a.b",        u"--",
                                            u"::",         u"_",
                                            u"\u00b0",     u"km/",
                                            u"1999 ",      u"until May 2004",
                                            u" yesterday", u". ",
                                            u"\u0301",     u"\u0130",
                                            u"\u03a3",     u"\U0001d400",
                                            {0xd800},      {0xdc00},
                                            u"\n",         u" ",
                                            u"sold "};

std::u16string soup(std::mt19937& random, std::size_t most) {
  std::u16string text;
  for (std::size_t left = random() % most; left > 0; --left)
    text += pieces[random() % pieces.size()];
  return text;
}

ReadPassage passage_of(std::mt19937& random) {
  ReadPassage passage;
  passage.text = soup(random, 4);
  passage.title_end = static_cast<std::uint32_t>(passage.text.size());
  if (passage.title_end > 0) passage.text += u'\n';
  auto at = static_cast<std::uint32_t>(passage.text.size());
  passage.text += soup(random, 60);
  const auto size = static_cast<std::uint32_t>(passage.text.size());
  while (at < size) {
    const std::uint32_t end = std::min<std::uint32_t>(size, at + 1 + random() % 80);
    passage.sentences.push_back({at, end});
    at = end + random() % 2;
  }
  const bool is_dated = random() % 2 == 0;
  passage.reference = is_dated ? 1304380800000 : std::numeric_limits<double>::quiet_NaN();
  if (is_dated) passage.published = Stretch{1304380800000, 1304467200000};
  return passage;
}

}  // namespace

int main() {
  std::mt19937 random(7);
  Question question;
  question.stems = {u"sold", u"lund"};
  question.places = {{u"sold", 0}, {u"lund", 1}, {u"sell", 0}};
  question.all = {u"sold", u"lund", u"ada"};
  question.time = {Stretch{915148800000, 946684800000}, {915148800000, 946684800000}, false};
  question.asks_date = question.lists = true;
  const std::vector<double> weights(feature_names().size(), 0.5);
  std::size_t read = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<ReadPassage> passages;
    for (std::size_t left = 1 + random() % 4; left > 0; --left)
      passages.push_back(passage_of(random));
    const Candidates found = candidates_of(question, passages, Cancel());
    for (std::size_t at = 0; at < found.all.size(); ++at) {
      const Candidate& each = found.all[at];
      CHECK(each.passage < passages.size() && each.start <= each.end && !each.text.empty());
      CHECK(each.start < passages[each.passage].text.size());
      for (const Feature& feature : found.features_of(at))
        CHECK(feature.number < weights.size() && std::isfinite(feature.value));
    }
    read += found.all.size();
    const std::vector<double> scores = scores_of(found, weights);
    const auto best = best_span(found, scores);
    CHECK(best.has_value() == !found.all.empty());
    if (!best) continue;
    const double probability = probability_of(*best, {-1, 0.1, 1, 1, -1, -0.5});
    CHECK(probability >= 0 && probability <= 1);
    CHECK(items_like(best->candidate, found, scores).size() <= 8);
    const Candidates again = candidates_of(question, passages, Cancel());
    CHECK(scores_of(again, weights) == scores);
  }
  CHECK(read > 10'000);
}
