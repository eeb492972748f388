// Features of a statement as a member of the series that a question asks for, its times aside.
#include "facts/matching.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "facts/agreement.hpp"

namespace asof::facts {
namespace {

/// A value counts fully where it is stated itself, and less as the head of a version.
constexpr double version_share = 0.8;
/// What a sentence inherits: words of the one before, and of the first, names above all.
constexpr double inherited_name = 0.8, inherited_before = 0.9, inherited_first = 0.7;
/// Weights in idf are divided by this, its cap.
constexpr double idf_scale = 8;
constexpr double rarity_scale = 18;
/// Terms of a question that a statement's bits cover.
constexpr std::size_t most_matched = 30;

/// The greater one, NaN where either is.
double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return unknown;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

/// At most 1; NaN of NaN.
double at_most_one(double value) {
  return value > 1 ? 1 : value;
}

/// Matches the statements of one candidate after the other; its buffers are for all of them.
class Matcher {
 public:
  Matcher(const Pool& pool, std::span<const double> idf, std::span<const double> term_idf)
      : pool_(pool),
        question_(pool.question),
        idf_(idf),
        signs_(signs_of(pool)),
        names_(pool, idf, term_idf),
        terms_(question_.terms.size()),
        has_value_(std::any_of(question_.terms.begin(), question_.terms.end(),
                               [](const Term& term) { return term.value; })) {}

  /// Appends a candidate's statements; `cosines` are those of all statements.
  void match(std::size_t candidate, double score, std::span<const double> cosines, Matches& into);

 private:
  /// A statement with how far it has the question's terms itself.
  struct Own {
    std::size_t nth;
    const Statement& statement;
    Text text;
    std::span<const double> held;
  };

  std::span<double> row(std::size_t nth) { return std::span(rows_).subspan(nth * terms_, terms_); }
  Text title() const { return {passage_->title_words(), title_hits_}; }
  Text text_of(const Statement& statement) const;

  void read(std::size_t candidate);
  void read_hits(const Range& range, std::vector<Hit>& hits) const;
  void put_presence(const Text& text, std::span<double> held) const;
  void read_forms();
  void read_title_features();

  void put_held(const Own& own);
  void put_name_features(const Own& own, std::span<double> features);
  void put_pair_features(const Own& own, std::span<double> features);
  std::int32_t put_term_features(std::span<double> features) const;
  void put_shape(const Own& own, std::span<double> features) const;
  double value_share_of(const Own& own) const;

  const Pool& pool_;
  const Question& question_;
  std::span<const double> idf_;
  std::vector<std::uint8_t> signs_;  // by number of a word
  NameMatcher names_;
  std::size_t terms_;
  bool has_value_;

  // Of the candidate.
  const Passage* passage_ = nullptr;
  const PassageNames* passage_names_ = nullptr;
  std::vector<Hit> title_hits_, hits_;
  std::vector<double> of_title_, rows_;  // how far title and statements have the question's terms
  std::vector<std::uint8_t> forms_;      // by term: whether it has the very form
  std::vector<NameAgreement> title_names_, first_names_;
  double name_in_passage_ = 0, title_asked_ = 0, title_sibling_ = 0;

  // Of the statement, by term of the question.
  std::vector<double> held_;
  std::vector<std::uint8_t> foreign_;  // values that stand elsewhere than after their words
  std::vector<NameAgreement> own_names_, inherited_names_;
};

void Matcher::match(std::size_t candidate, double score, std::span<const double> cosines,
                    Matches& into) {
  read(candidate);
  for (std::size_t nth = 0; nth < passage_->statements.size(); ++nth) {
    const std::size_t match = into.size();
    const Statement& statement = passage_->statements[nth];
    const Own own{nth, statement, text_of(statement), row(nth)};
    const std::span<double> features = into.row(match);
    put_held(own);
    if (!question_.names.empty()) put_name_features(own, features);
    put_pair_features(own, features);
    for (std::size_t t = 0; t < terms_; ++t)
      if (foreign_[t] != 0) held_[t] = 0;
    into.matched.push_back(put_term_features(features));
    put_shape(own, features);
    features[value_share] = value_share_of(own);
    features[cosine] = cosines[match];
    // What the first stage found in a text says nothing of its title.
    if (statement.title)
      features[of_title_alone] = 1;
    else
      features[question_.order == Order::any ? scan_unordered : scan_ordered] = score;
    into.candidate.push_back(static_cast<std::uint32_t>(candidate));
    into.statement.push_back(static_cast<std::uint32_t>(nth));
    for (const Hit& hit : own.text.hits)
      if ((hit.signs & is_role) != 0)
        into.roles[match].push_back(own.text.range.of->starts[hit.place]);
  }
}

Text Matcher::text_of(const Statement& statement) const {
  if (statement.title) return title();
  const auto at = [this](std::uint32_t place) {
    return std::lower_bound(hits_.begin(), hits_.end(), place,
                            [](const Hit& hit, std::uint32_t end) { return hit.place < end; });
  };
  return {passage_->words_of(statement), std::span(at(statement.from), at(statement.to))};
}

void Matcher::read(std::size_t candidate) {
  passage_ = pool_.passages[candidate].get();
  passage_names_ = &pool_.names[candidate];
  read_hits(passage_->title_words(), title_hits_);
  read_hits(passage_->text_words(), hits_);
  of_title_.assign(terms_, 0);
  put_presence(title(), of_title_);
  const std::vector<Statement>& statements = passage_->statements;
  rows_.assign(statements.size() * terms_, 0);
  for (std::size_t nth = 0; nth < statements.size(); ++nth)
    put_presence(text_of(statements[nth]), row(nth));
  read_forms();
  read_title_features();
}

void Matcher::read_hits(const Range& range, std::vector<Hit>& hits) const {
  hits.clear();
  for (std::uint32_t at = range.from; at < range.to; ++at) {
    const std::uint32_t word = range.of->words[at];
    if (signs_[word] != 0) hits.push_back({at, word, signs_[word]});
  }
}

/// By term of the question, how far a text has it.
void Matcher::put_presence(const Text& text, std::span<double> held) const {
  for (const Hit& hit : text.hits) {
    const std::uint32_t term = pool_.lexicon.terms[hit.word];
    if ((hit.signs & is_term) != 0) held[pool_.place_of(term)] = 1;
    if ((hit.signs & is_version) == 0) continue;
    for (const std::uint32_t t : pool_.values_of(term)) held[t] = std::max(held[t], version_share);
  }
}

void Matcher::read_forms() {
  forms_.assign(terms_, 0);
  for (const std::vector<Hit>& hits : {std::cref(title_hits_), std::cref(hits_)})
    for (const Hit& hit : hits)
      if ((hit.signs & is_form) != 0)
        forms_[static_cast<std::size_t>(pool_.place_of_form(pool_.lexicon.lows[hit.word]))] = 1;
}

/// What all statements of the candidate share.
void Matcher::read_title_features() {
  held_ = of_title_;
  for (std::size_t nth = 0; nth < passage_->statements.size(); ++nth)
    for (std::size_t t = 0; t < terms_; ++t) held_[t] = std::max(held_[t], row(nth)[t]);
  name_in_passage_ = names_.share(held_);
  title_asked_ = share_asked(*passage_, pool_, idf_);
  const auto& [of_title, statements] = *passage_names_;
  title_names_.assign(names_.names(), {});
  names_.improve(title_names_, of_title);
  first_names_.assign(names_.names(), {});
  if (!statements.empty()) names_.improve(first_names_, statements.front());
  // Of the question's name -1, of another 1; compared with other passages below.
  const bool is_of_name = std::any_of(of_title.begin(), of_title.end(), [this](const Name& name) {
    return std::any_of(name.begin(), name.end(),
                       [this](std::uint32_t term) { return (pool_.marks[term] & of_name) != 0; });
  });
  title_sibling_ = question_.names.empty() || of_title.empty() ? 0 : is_of_name ? -1 : 1;
}

void Matcher::put_held(const Own& own) {
  const bool goes_on = own.nth > 0 && !own.statement.whole && !own.statement.title;
  for (std::size_t t = 0; t < terms_; ++t) {
    double held = std::max(own.held[t], of_title_[t]);
    if (!own.statement.title)
      held =
          std::max(held, (question_.terms[t].name ? inherited_name : inherited_first) * row(0)[t]);
    if (goes_on) held = std::max(held, inherited_before * row(own.nth - 1)[t]);
    held_[t] = held;
  }
}

void Matcher::put_name_features(const Own& own, std::span<double> features) {
  const std::vector<Name>& names = passage_names_->statements[own.nth];
  own_names_ = title_names_;
  names_.improve(own_names_, names);
  inherited_names_.assign(names_.names(), {});
  const bool inherits = own.nth > 0 && !own.statement.title;
  const NameAgreement found = names_.match(own_names_, inherits ? first_names_ : inherited_names_);
  features[name_overlap] = names_.telling() * found.overlap;
  // Cleared where no other statement has the very name.
  features[sibling] = names_.telling();
  features[name_extra] = found.extra;
  const auto is_absent = [this](const std::vector<std::uint32_t>& name) {
    return std::all_of(name.begin(), name.end(), [this](std::uint32_t t) { return held_[t] == 0; });
  };
  const auto is_other = [this](const Name& name) {
    return std::none_of(name.begin(), name.end(), [this](std::uint32_t term) {
      return (pool_.marks[term] & asked_term) != 0;
    });
  };
  const bool is_substituted =
      std::any_of(question_.names.begin(), question_.names.end(), is_absent) &&
      std::any_of(names.begin(), names.end(), is_other);
  features[substituted] = is_substituted ? 1 : 0;
}

/// Conflicts with adjacent terms of the question: another value, another modifier. Values that
/// stand elsewhere than after their words are foreign: of "Electron 12", "Node 12".
void Matcher::put_pair_features(const Own& own, std::span<double> features) {
  foreign_.assign(terms_, 0);
  const auto has = [&](std::uint32_t t) { return own.held[t] > 0 || of_title_[t] > 0; };
  for (const auto& [a, b] : question_.pairs) {
    const bool is_value = question_.terms[b].value;
    if (pool_.in_pool[a] == 0 || (pool_.in_pool[b] == 0 && !is_value)) continue;
    if (is_value) {
      const std::int64_t word = pool_.number_of(a);
      int follows = value_after(word, b, own.text, pool_);
      if (follows == 0) follows = value_after(word, b, title(), pool_);
      if (follows >= 0) continue;
      features[value_conflict] = 1;
      foreign_[b] = 1;
    } else if (!has(a) && has(b)) {
      const std::int64_t head = pool_.number_of(b);
      if (has_other_modifier(head, own.text, pool_.lexicon) ||
          has_other_modifier(head, title(), pool_.lexicon))
        features[pair_conflict] = 1;
    }
  }
}

/// Writes what is missing of the question's terms; returns the bits of those that are held.
std::int32_t Matcher::put_term_features(std::span<double> features) const {
  std::uint32_t matched = 0;
  double weight_matched = 0, weight_exact = 0;
  for (std::size_t t = 0; t < terms_; ++t) {
    const Term& term = question_.terms[t];
    if (pool_.in_pool[t] == 0) {
      features[unknown_term] += term.weight / idf_scale;
      if (term.name || term.value) features[unknown_name] += 1;
      continue;
    }
    const double held = held_[t];
    if (held > 0 && t < most_matched) matched |= 1U << t;
    if (term.value)
      features[value_missing] += 1 - held;
    else if (term.name)
      features[name_missing] += (1 - held) * term.weight / idf_scale;
    else
      features[term.kind ? kind_missing : rarity_missing] +=
          (1 - held) * at_most_one(term.rarity / rarity_scale);
    if (held > 0 && !term.value) {
      weight_matched += term.weight;
      if (forms_[t] != 0) weight_exact += term.weight;
    }
  }
  features[exact_form] = weight_matched > 0 ? weight_exact / weight_matched : 0;
  return static_cast<std::int32_t>(matched);
}

void Matcher::put_shape(const Own& own, std::span<double> features) const {
  features[bias] = 1;
  features[name_in_passage] = name_in_passage_;
  features[title_sibling] = title_sibling_;
  features[title_asked] = title_asked_;
  features[asks_value] = has_value_ ? 1 : 0;
  // Cleared with the time where the statement is not before the window.
  features[before_of_figure] = is_figure(question_.wanted) ? 1 : 0;
  features[length] = std::log1p(own.text.range.size()) / 3;
  features[passage_length] = std::log1p(passage_->text.length) / 5;
  features[type_missing] =
      type_missing_of(pool_, own.text, own.statement.times_from < own.statement.times_to, title(),
                      passage_names_->statements[own.nth]);
}

/// The weighted share of the question's values that are held; 0 of a question without any.
double Matcher::value_share_of(const Own& own) const {
  double sum = 0, total = 0;
  for (std::size_t t = 0; t < terms_; ++t) {
    const Term& term = question_.terms[t];
    if (!term.value) continue;
    sum += term.weight * (foreign_[t] != 0 ? 0 : std::max(own.held[t], of_title_[t]));
    total += term.weight;
  }
  return total > 0 ? sum / total : 0;
}

}  // namespace

Matches match(const Pool& pool, std::span<const double> idf, std::span<const double> term_idf,
              std::span<const double> scores, std::span<const double> cosines) {
  std::size_t statements = 0;
  for (const auto& passage : pool.passages) statements += passage->statements.size();
  Matches matches;
  matches.candidate.reserve(statements);
  matches.statement.reserve(statements);
  matches.matched.reserve(statements);
  matches.features.resize(statements * width);
  matches.roles.resize(statements);
  Matcher matcher(pool, idf, term_idf);
  for (std::size_t candidate = 0; candidate < pool.passages.size(); ++candidate)
    matcher.match(candidate, scores[candidate], cosines, matches);
  return matches;
}

void compare(Matches& matches, std::span<const std::uint8_t> measured) {
  double best_cosine = -1, best_scan = 1e-9, best_name = 0;
  bool has_title = false;
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const std::span<const double> features = matches.row(match);
    best_cosine = greater(best_cosine, features[cosine]);
    best_name = greater(best_name, features[name_overlap]);
    has_title = has_title || features[title_sibling] == -1;
    if (!measured.empty() && measured[match] == 0) continue;
    best_scan = greater(best_scan, greater(features[scan_unordered], features[scan_ordered]));
  }
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const std::span<double> features = matches.row(match);
    if (!has_title || features[title_sibling] == -1) features[title_sibling] = 0;
    features[cosine_below_best] = features[cosine] - best_cosine;
    for (const Feature scan : {scan_unordered, scan_ordered})
      features[scan] = at_most_one(features[scan] / best_scan);
    const double telling = features[sibling];
    const bool is_other = features[name_overlap] < 0.8 * telling;
    if (best_name <= 0.95 * telling || !is_other) features[sibling] = 0;
  }
}

namespace {

/// Numbers, then names, that the question does not give.
std::vector<std::uint32_t> new_of(const Pool& pool, const Range& range,
                                  const std::vector<Name>& names) {
  std::vector<std::uint32_t> found;
  const auto add = [&](std::uint32_t term) {
    const bool is_known = std::find(found.begin(), found.end(), term) != found.end();
    if ((pool.marks[term] & given) == 0 && !is_known) found.push_back(term);
  };
  for (std::uint32_t at = range.from; at < range.to; ++at) {
    const std::uint32_t word = range.of->words[at];
    if (pool.lexicon.values[word] != 0) add(pool.lexicon.terms[word]);
  }
  for (const Name& name : names) std::for_each(name.begin(), name.end(), add);
  return found;
}

}  // namespace

std::vector<double> held_shares(const Pool& pool, const Matches& matches,
                                std::span<const WeightedForms> terms) {
  // By number of a text, the terms that it is a form of.
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> terms_of;
  double total = 0;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    total += terms[t].weight;
    for (const std::u16string& form : terms[t].forms)
      if (const auto number = pool.lexicon.number_of(form)) terms_of[*number].push_back(t);
  }
  std::vector<std::uint8_t> held(terms.size());
  const auto read = [&](const Range& range) {
    for (std::uint32_t at = range.from; at < range.to; ++at) {
      const auto found = terms_of.find(pool.lexicon.terms[range.of->words[at]]);
      if (found == terms_of.end()) continue;
      for (const std::size_t t : found->second) held[t] = 1;
    }
  };
  std::vector<double> shares;
  shares.reserve(matches.size());
  for (std::size_t match = 0; match < matches.size(); ++match) {
    const Passage& passage = *pool.passages[matches.candidate[match]];
    std::fill(held.begin(), held.end(), 0);
    read(passage.words_of(passage.statements[matches.statement[match]]));
    read(passage.title_words());
    double sum = 0;
    for (std::size_t t = 0; t < terms.size(); ++t)
      if (held[t] != 0) sum += terms[t].weight;
    shares.push_back(sum / total);
  }
  return shares;
}

Varying varying(const Pool& pool, const Matches& matches, std::size_t match) {
  const std::uint32_t candidate = matches.candidate[match], nth = matches.statement[match];
  const Passage& passage = *pool.passages[candidate];
  const PassageNames& names = pool.names[candidate];
  const std::vector<std::uint32_t>& title = passage.title.words;
  const auto is_in_title = [&](std::uint32_t term) {
    return std::any_of(title.begin(), title.end(),
                       [&](std::uint32_t word) { return pool.lexicon.terms[word] == term; });
  };
  Varying varying;
  varying.slots = new_of(pool, passage.words_of(passage.statements[nth]), names.statements[nth]);
  std::remove_copy_if(varying.slots.begin(), varying.slots.end(),
                      std::back_inserter(varying.values), is_in_title);
  if (varying.slots.empty()) varying.slots = new_of(pool, passage.title_words(), names.title);
  return varying;
}

}  // namespace asof::facts
