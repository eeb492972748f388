// Tagging of a text: rejection, tokenization, reading.
#include "timetag/mentions/mentions.hpp"
#include "timetag/normalization/normalization.hpp"

namespace asof::timetag {

bool may_contain_time(std::u16string_view text) {
  return has_trigger(text);
}

Mode tag(std::u16string_view text, double reference_ms, Mode mode, Tags& tags) {
  static thread_local std::vector<Token> tokens;  // only its memory is kept between calls
  const bool triggered = has_trigger(text);
  if (triggered)
    tokenize(text, tokens);
  else
    tokens.clear();
  Document doc{.text = text, .tokens = tokens, .anchor = {}, .last = {}};
  doc.reference_ms = reference_ms;
  doc.mode = mode == Mode::automatic ? choose_mode(doc) : mode;
  if (triggered) read_mentions(doc, tags);
  if (tokens.capacity() > 1 << 16) std::vector<Token>().swap(tokens);
  return doc.mode;
}

}  // namespace asof::timetag
