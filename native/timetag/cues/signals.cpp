// Temporal signals of a query in TEMPO's terms (section 3, appendix B.2).
#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::timetag {
namespace {

constexpr std::string_view vague_times =
    "currently|nowadays|presently|recently|lately|historically|formerly|previously|originally|"
    "initially|eventually|current|present-day|modern-day|recent|former|previous|contemporary|"
    "ongoing|still|ago,over time,over the years|decades|centuries,through|throughout history,"
    "at the|that time,these days,anymore,any longer,so far,to date,up to now,until now,ever since,"
    "yet";
constexpr std::string_view asking_length =
    "for? how long,"
    "for? how many years|months|weeks|days|hours|minutes|seconds|decades|centuries,"
    "what is|was the duration";
constexpr std::string_view asking_when =
    "since|until|by when,when,in|on|at|by|since|until|during? what|which "
    "year|month|day|date|decade|century|time|season|quarter|era|period|age|epoch";
constexpr std::string_view timelines =
    "timeline,chronolog*,history of,historical development of,evolution of,evolv+,"
    "sequence of events,over time,over the years|decades|centuries,through|throughout history";
constexpr std::string_view orderings =
    "in what|which order,came|happened|occurred|was first|earlier|later,which came|happened,"
    "which is older,which was earlier";
constexpr std::string_view sequences =
    "before,after,prior to,since,until,following,preced+,succeed+";
constexpr std::string_view ongoings =
    "still,currently,current,nowadays,presently,present-day,ongoing,these days,today,now,anymore,"
    "any longer,so far,to date";
constexpr std::string_view periods =
    "during,throughout,era,period,what|which age|epoch,age of,dynasty";
constexpr std::string_view periods_asked = "era|period|age|epoch";

/// The end of a name that begins at `at`: capitalised words with articles and prepositions between;
/// or 0.
std::size_t name_at(std::string_view text, std::size_t at) {
  const auto end_of_word = [&](std::size_t i) {
    while (i < text.size() &&
           (in_run(text[i]) || text[i] == '\'' || text[i] == '.' || text[i] == '-'))
      ++i;
    return i;
  };
  const auto after_blanks = [&](std::size_t i) {
    while (i < text.size() && is_blank(text[i])) ++i;
    return i;
  };
  if (at >= text.size() || !is_capital(text[at])) return 0;
  std::size_t end = end_of_word(at);
  for (std::size_t next = after_blanks(end); next > end && next < text.size();) {
    if (is_capital(text[next]) || is_digit(text[next])) {
      end = end_of_word(next);
      next = after_blanks(end);
      continue;
    }
    std::size_t stop = next;
    while (stop < text.size() && !is_blank(text[stop])) ++stop;
    if (!one_of(" of the de and for in ", text.substr(next, stop - next))) break;
    next = after_blanks(stop);
  }
  return end;
}

/// The end of a signal word with the name of an event, "after the Battle of Hastings"; or 0.
std::size_t event_at(const Words& words, std::string_view text, std::size_t i) {
  const std::size_t end =
      words.any_phrase(i, "before|after|during|since|until|following,prior to,by|at the time of");
  const std::size_t begin = words.begin(i);
  if (end == 0 || text.substr(begin, end - begin) != words.text().substr(begin, end - begin))
    return 0;
  const std::size_t next = words.from(end);
  if (!words.apart(next)) return 0;
  const std::size_t name = name_at(text, words.begin(next));
  if (name > 0) return name;
  const std::string_view own = text.substr(words.begin(next), words[next].size());
  return one_of(" the a an ", own) && words.apart(next + 1) ? name_at(text, words.begin(next + 1))
                                                            : 0;
}

}  // namespace

QuerySignals query_signals(std::u16string_view query) {
  const std::string text = narrowed(query);
  const Words words(text);
  QuerySignals found;
  // As a search from left to right, whose matches do not overlap.
  const auto find = [&](const auto& end_at, const auto& kind_of) {
    for (std::size_t i = 0; i < words.size();) {
      const std::size_t end = end_at(i);
      if (end == 0) {
        ++i;
        continue;
      }
      const auto begin = static_cast<std::uint32_t>(words.begin(i));
      const std::size_t next = words.from(end);
      found.signals.push_back({begin, static_cast<std::uint32_t>(end), kind_of(i, next)});
      i = next;
    }
  };
  const auto phrases = [&](std::string_view list) {
    return [&words, list](std::size_t i) { return words.any_phrase(i, list); };
  };
  find(phrases(asking_length), [](std::size_t, std::size_t) { return SignalKind::asking; });
  if (!found.signals.empty()) found.cues |= length;
  find(phrases(asking_when), [&](std::size_t, std::size_t next) {
    return words.any_phrase(next - 1, periods_asked) > 0 ? SignalKind::asking_period
                                                         : SignalKind::asking;
  });
  find([&](std::size_t i) { return event_at(words, text, i); },
       [&](std::size_t i, std::size_t next) {
         for (; i < next; ++i)
           if (words.any_phrase(i, sequences) > 0) return SignalKind::ordered_event;
         return SignalKind::event;
       });
  find(phrases(vague_times), [](std::size_t, std::size_t) { return SignalKind::word; });
  const auto set = [&](QueryCue cue, std::string_view list) {
    if (words.has(list)) found.cues |= cue;
  };
  set(timeline, timelines);
  set(ordering, orderings);
  set(ongoing, ongoings);
  set(period, periods);
  return found;
}

}  // namespace asof::timetag
