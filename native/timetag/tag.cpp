// The way from a text to its mentions: reject, tokenise, read.
#include "timetag/mentions/mentions.hpp"
#include "timetag/resolution/resolution.hpp"

namespace asof::timetag {

bool may_hold_time(std::u16string_view text) {
  return has_trigger(text);
}

Mode tag(std::u16string_view text, double reference_ms, Mode mode, Tags& tags) {
  static thread_local std::vector<Token> tokens;  // only its memory is kept between calls
  const bool hopeful = has_trigger(text);
  if (hopeful)
    tokenize(text, tokens);
  else
    tokens.clear();
  Scene scene{.text = text, .tokens = tokens, .told = {}, .last = {}};
  scene.reference_ms = reference_ms;
  scene.mode = mode == Mode::automatic ? choose_mode(scene) : mode;
  if (hopeful) read_mentions(scene, tags);
  if (tokens.capacity() > 1 << 16) std::vector<Token>().swap(tokens);
  return scene.mode;
}

}  // namespace asof::timetag
