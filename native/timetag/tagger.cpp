// Tagging of a text: rejection, tokenization, reading.
#include "timetag/mentions/mentions.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/question/wording.hpp"

namespace asof::timetag {
namespace {

// The grammar reads a question as a report of the day that it is asked on, in other words.
void tag_question(std::u16string_view text, double reference_ms, std::vector<Token>& tokens,
                  Tags& tags) {
  const Wording wording = word_question(text, reference_ms, tokens);
  Document doc{.text = wording.text, .tokens = tokens, .anchor = {}, .last = {}};
  doc.reference_ms = reference_ms;
  doc.mode = Mode::news;
  doc.question = true;
  const std::size_t mentions = tags.mentions.size(), timexes = tags.timexes.size();
  read_mentions(doc, tags);
  for (std::size_t i = mentions; i < tags.mentions.size(); ++i) {
    tags.mentions[i].start = wording.origins[tags.mentions[i].start];
    tags.mentions[i].end = wording.origins[tags.mentions[i].end];
  }
  for (std::size_t i = timexes; i < tags.timexes.size(); ++i) {
    tags.timexes[i].start = wording.origins[tags.timexes[i].start];
    tags.timexes[i].end = wording.origins[tags.timexes[i].end];
  }
}

Mode tag_by(std::u16string_view text, double reference_ms, Mode mode, Tags& tags) {
  static thread_local std::vector<Token> tokens;  // only its memory is kept between calls
  if (mode == Mode::question) {
    tag_question(text, reference_ms, tokens, tags);
    if (tokens.capacity() > 1 << 16) std::vector<Token>().swap(tokens);
    return mode;
  }
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

}  // namespace

bool may_contain_time(std::u16string_view text) {
  return has_trigger(text);
}

Mode tag(std::u16string_view text, double reference_ms, Mode mode, Tags& tags) {
  const std::size_t mentions = tags.mentions.size(), timexes = tags.timexes.size();
  const Mode chosen = tag_by(text, reference_ms, mode, tags);
  find_offsets(text, std::span(tags.mentions).subspan(mentions), tags.timexes.data() + timexes);
  return chosen;
}

}  // namespace asof::timetag
