// A question as plain data: what it asks of series (lib/facts/question/question.ts).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "statements/passage.hpp"

namespace asof::facts {

using namespace statements;  // of which facts are made

/// Half-open; open ends are infinite.
struct Window {
  double start = -infinity, end = infinity;
};

enum class Order : std::uint8_t { latest, first, any };

/// Kinds of answers, as far as they count: `AnswerType` of lib/text/answerType.ts.
enum class Wanted : std::uint8_t {
  other,
  none,
  version,
  number,
  score,
  date,
  person,
  name,
  organisation,
  place
};

struct Term {
  std::u16string term, low;
  double weight = 0;  // 0 to about 9
  bool name = false, value = false;
  bool kind = false;  // the noun of "which"
  double rarity = 0;  // of `low` in English
};

struct Question {
  std::vector<Term> terms;
  std::vector<std::vector<std::uint32_t>> names;  // whole names, as places of their terms
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // places of adjacent terms
  std::vector<std::u16string> anchor;                          // forms of the terms of a neighbour
  std::u16string role;  // the word before its date; "" without
  Wanted wanted = Wanted::none;
  Order order = Order::any;  // of its operator
};

/// What it asks of time, with what the candidates say of a neighbour (lib/facts/members/order.ts).
struct Asked {
  bool has_operator = false;          // its kind is not `none`
  Order operator_order = Order::any;  // as read
  bool is_when = false;               // operator `when`, or a date is wanted
  bool clock_published = false;
  bool is_now = false;     // the state at asking is meant
  bool is_past = false;    // in the past tense
  Window operator_window;  // as read
  double asked_at = 0;
  // In force: of the operator, or the latest up to now.
  Order order = Order::any;
  std::uint32_t place = 1;
  Window window;
  std::vector<Window> alternatives;  // none: no condition
  bool has_named = false;
  Window named;  // the time that the question names
  bool has_held = false;
  Window held;  // in some part of it a state must hold
  bool is_event = false;
};

}  // namespace asof::facts
