// The way from a text to its mentions: reject, tokenise, read.
#include "kernels/timetag/scene.hpp"

namespace asof::timetag {

bool may_hold_time(std::u16string_view text) { return has_trigger(text); }

void tag(std::u16string_view text, double reference_ms, Mode mode, std::vector<Mention>& mentions) {
  if (!has_trigger(text)) return;
  static thread_local std::vector<Token> tokens;  // only its memory is kept between calls
  tokenize(text, tokens);
  Scene scene{text, tokens};
  scene.reference_ms = reference_ms;
  scene.mode = mode;
  read_mentions(scene, mentions);
  if (tokens.capacity() > 1 << 16) std::vector<Token>().swap(tokens);
}

}  // namespace asof::timetag
