// The word list, and a fixed open-addressing table over it, built once when the library is loaded.
#include "timetag/lexer/lexicon.hpp"

#include <array>
#include <initializer_list>

namespace asof::timetag {
namespace {

struct Group {
  Class cls;
  bool trigger;
  int first;  // value of the first name; each following blank-separated name counts one up, "|"
              // joins synonyms
  std::string_view names;
};

constexpr int of(auto value) {
  return static_cast<int>(value);
}

constexpr Group groups[] = {
    {Class::month, true, 1,
     "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
     "september|sep|sept october|oct november|nov december|dec"},
    {Class::weekday, true, 0,
     "monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thur|thurs friday|fri saturday|sat "
     "sunday|sun"},
    {Class::season, true, 0, "spring summer autumn|fall winter"},
    {Class::unit, true, of(Unit::second),
     "seconds|secs minute|minutes|mins hour|hours|hrs day|days"},
    {Class::unit, false, of(Unit::second), "sec min hr"},
    {Class::unit, true, of(Unit::weekend),
     "weekend|weekends week|weeks month|months quarter|quarters half season|seasons "
     "year|years|yr|yrs decade|decades century|centuries millennium|millennia"},
    {Class::ordinal, false, 1,
     "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
     "fourteenth fifteenth sixteenth seventeenth eighteenth "
     "nineteenth twentieth"},
    {Class::cardinal, false, 1,
     "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
     "sixteen seventeen eighteen nineteen twenty"},
    {Class::cardinal, false, 30, "thirty"},
    {Class::cardinal, false, 40, "forty"},
    {Class::cardinal, false, 50, "fifty"},
    {Class::cardinal, false, 60, "sixty"},
    {Class::cardinal, false, 70, "seventy"},
    {Class::cardinal, false, 80, "eighty"},
    {Class::cardinal, false, 90, "ninety"},
    {Class::tens, true, 2,
     "twenties thirties forties fifties sixties seventies eighties nineties noughties"},
    {Class::era, false, of(Era::before_common), "bc|bce ad|ce"},
    {Class::part, false, of(Part::early), "early mid|middle late beginning|start end turn"},
    {Class::deictic, true, of(Deictic::today),
     "today yesterday tomorrow tonight now|currently|nowadays"},
    {Class::edge, false, 0, "opening|initial"},
    {Class::edge, false, 2, "closing|final|latter"},
    {Class::shift, true, 0, "past"},
    {Class::shift, true, 1, "current"},
    {Class::shift, false, 0, "last|previous this|current|same next|coming"},
    {Class::suffix, false, of(Suffix::ordinal), "st|nd|rd|th s"},
    {Class::thing, false, of(Scale::dozen),
     "dozen|dozens hundred|hundreds thousand|thousands million|millions billion|billions"},
    {Class::thing, false, 0,
     "people|persons|inhabitants|residents|passengers|men|women|children|soldiers|troops|workers|"
     "employees|students|members|players|voters|votes|seats|"
     "miles|mile|km|kilometers|kilometres|kilometre|kilometer|meters|metres|meter|metre|feet|foot|"
     "ft|inches|inch|yards|yard|acres|acre|hectares|hectare|"
     "kg|kilograms|grams|tons|tonnes|ton|tonne|pounds|pound|lbs|lb|ounces|dollars|euros|euro|cents|"
     "yen|rupees|francs|marks|guineas|shillings|"
     "million|billion|trillion|thousand|hundred|dozen|percent|points|goals|runs|wickets|games|"
     "matches|caps|episodes|copies|units|pages|words|volumes|"
     "items|articles|books|houses|homes|buildings|rooms|households|families|ships|aircraft|planes|"
     "cars|vehicles|trains|horses|sheep|cattle|deaths|"
     "casualties|cases|prisoners|watts|kw|mw|kwh|hp|horsepower|rpm|mph|kph|knots|degrees|calories|"
     "liters|litres|gallons|barrels|bytes|mb|gb|mhz|hz|"
     "species|stars|islands|villages|schools|shares|jobs|stores|locations|sq|square|cubic|times|"
     "refugees|delegates|pounders|guns|gun|word|seat|man|person|strong|member|point|horse|dollar|"
     "unit|goal|ton|bed|pound|student|piece|pieces|m|g|l|w|v|hours|minutes|seconds|"
     "dead|wounded|cc|mm|cm|ms|mah|hpa|kpa|mpa|psi|psia|cps|nm|kcal|newtons|newton|joules|volts|"
     "volt|amperes|milliamperes|amps|lumens|fathoms|paces|sheets|dead|wounded"},
    {Class::label, false, 0,
     "room|rooms|page|pages|pp|flight|route|highway|interstate|bus|line|model|version|chapter|"
     "verse|psalm|section|article|figure|fig|table|suite|"
     "apartment|apt|box|channel|gate|platform|size|vol|volume|issue|lot|zip|code|isbn|id|serial|"
     "number|numbers|nos|nr|asteroid|windows|peugeot|ref|"
     "locomotive|squadron|resolution|iso|rfc|hwy|tel|phone|fax|ext|boeing|airbus|bwv|type|runner|"
     "class|pin|locus|engine|equation|eq|port|build|item|rev|extension|paragraph|para|patent|"
     "docket|rule|case|train|card|sku|novel|"
     "usd|eur|gbp|chf|jpy|inr"},
    {Class::change, false, 0,
     "rose|rises|risen|rise|rising|fell|fallen|falls|grew|grows|grown|increased|increasing|"
     "increases|decreased|decreasing|decreases|dropped|drops|climbed|declined|reduced|"
     "varied|varies|varying|vary|ranged|ranges|ranging|range"},
    {Class::street, false, 0,
     "street|avenue|road|drive|boulevard|lane|st|ave|rd|blvd|court|plaza|square|parkway|terrace|"
     "highway|broadway"},
    {Class::measure, false, 0,
     "population|total|crew|average|maximum|minimum|height|length|elevation|altitude|distance|"
     "capacity|speed|weight|cost|price|sum|force|garrison|"
     "fleet|attendance|membership|score|rating|strength|circulation|depth|width|crowd|workforce|"
     "staff|enrollment|enrolment"},
    {Class::quantifier, false, 0,
     "nearly|almost|only|exactly|additional|another|estimated|rated|totaling|totalling|numbering|"
     "numbered|fewer|less"},
    {Class::vague, false, 0, "few|several|many|numerous|couple|countless|various"},
    {Class::daypart, true, of(Daypart::morning),
     "morning|mornings|dawn|daybreak|sunrise midday afternoon|afternoons "
     "evening|evenings|dusk|sunset|nightfall night|nights|overnight daytime noon midnight"},
    {Class::unknown, true, 0, "clock|fortnight|fortnights"},
    {Class::meridiem, false, 0, "am pm"},
    {Class::zone, false, 24 - 16, "pst"},
    {Class::zone, false, 24 - 14, "pdt|mst"},
    {Class::zone, false, 24 - 12, "mdt|cst"},
    {Class::zone, false, 24 - 10, "cdt"},
    {Class::zone, false, 24 - 8, "edt|ast"},
    {Class::zone, false, 24, "gmt|utc|wet|z|zulu"},
    {Class::zone, false, 24 + 2, "bst|cet|wat"},
    {Class::zone, false, 24 + 4, "cest|eet|sast|cat"},
    {Class::zone, false, 24 + 6, "eest|msk|eat|trt"},
    {Class::zone, false, 24 + 8, "gst"},
    {Class::zone, false, 24 + 11, "ist"},
    {Class::zone, false, 24 + 16, "hkt|sgt|awst"},
    {Class::zone, false, 24 + 18, "jst|kst"},
    {Class::zone, false, 24 + 20, "aest"},
    {Class::zone, false, 24 + 24, "nzst"},
    {Class::zone, false, daylight + 24 - 16, "pt"},
    {Class::zone, false, daylight + 24 - 14, "mt"},
    {Class::zone, false, daylight + 24 - 12, "ct"},
    {Class::zone, false, daylight + 24 - 10, "et"},
    {Class::recurring, true, of(Recurring::every), "every|each"},
    {Class::recurring, false, of(Recurring::per), "per once twice"},
    {Class::periodic, true, of(Unit::hour), "hourly daily|nightly"},
    {Class::periodic, true, of(Unit::week), "weekly monthly quarterly"},
    {Class::periodic, true, of(Unit::year), "yearly|annually|annual"},
    {Class::holiday, true, 0,
     "christmas|xmas|easter|thanksgiving|halloween|pentecost|whitsun|epiphany|juneteenth|ramadan|"
     "hanukkah|chanukah|diwali|passover|eid"},
    {Class::weekdays, true, 0, "mondays tuesdays wednesdays thursdays fridays saturdays sundays"},
    {Class::tense, true, of(Tense::formerly),
     "formerly former recent|recently soon future|futures modern presently date moment"},
};

// Function words are listed next to their enumerators, so that reordering cannot detach them.
struct Named {
  Function function;
  std::string_view names;
};

constexpr Named functions[] = {
    {Function::the, "the"},
    {Function::a, "a|an"},
    {Function::in, "in"},
    {Function::on, "on|upon"},
    {Function::at, "at"},
    {Function::during, "during"},
    {Function::throughout, "throughout"},
    {Function::within, "within"},
    {Function::over, "over"},
    {Function::since, "since"},
    {Function::until, "until|till|til"},
    {Function::by, "by"},
    {Function::as, "as"},
    {Function::of, "of"},
    {Function::before, "before"},
    {Function::prior, "prior"},
    {Function::to, "to"},
    {Function::after, "after"},
    {Function::following, "following"},
    {Function::from, "from"},
    {Function::between, "between"},
    {Function::and_, "and"},
    {Function::through, "through|thru"},
    {Function::up, "up"},
    {Function::around, "around|circa|ca|about|approximately|roughly|approx|near|toward|towards"},
    {Function::circa_letter, "c"},
    {Function::no, "no"},
    {Function::not_, "not"},
    {Function::later, "later"},
    {Function::earlier, "earlier"},
    {Function::than, "than"},
    {Function::or_, "or"},
    {Function::period, "period|span|timeframe|interval|era"},
    {Function::onwards, "onwards|onward"},
    {Function::starting, "starting|commencing"},
    {Function::effective, "effective"},
    {Function::present, "present"},
    {Function::sometime, "sometime"},
    {Function::for_, "for"},
    {Function::pre, "pre"},
    {Function::post, "post"},
    {Function::dated, "dated"},
    {Function::ago, "ago"},
    {Function::eve, "eve"},
    {Function::ahead, "ahead"},
    {Function::least, "least"},
    {Function::quarter_letter, "q"},
    {Function::half_letter, "h"},
    {Function::fiscal, "fiscal|fy"},
    {Function::born, "born|b|died|d|est|reigned|fl"},
    {Function::some, "some"},
    {Function::time, "time"},
    {Function::more, "more"},
    {Function::preceding, "preceding"},
    {Function::that, "that"},
    {Function::share, "most|much|part|parts|rest|remainder|course|whole|all|bulk|majority"},
    {Function::into, "into"},
    {Function::dates, "dates|date|dating|traced|traces"},
    {Function::back, "back"},
    {Function::run, "run|lead|leading"},
    {Function::including, "including"},
};

// Verbs whose ending does not determine their tense.
struct Pointing {
  Verb verb;
  std::string_view names;
};

constexpr Pointing verbs[] = {
    {Verb::past,
     "said|told|was|were|been|had|did|began|begun|rose|risen|fell|fallen|won|lost|hit|struck|shot|"
     "came|went|gone|took|taken|made|got|gave|given|found|"
     "knew|known|saw|seen|became|held|left|kept|brought|met|led|stood|sat|ran|paid|sent|built|"
     "spent|bought|sold|fought|caught|taught|thought|broke|"
     "broken|chose|chosen|drew|drawn|drove|driven|ate|flew|flown|grew|grown|hid|hung|laid|meant|"
     "rode|sank|shook|spoke|spoken|stole|stolen|swept|swam|"
     "threw|thrown|wore|wrote|written|withdrew|overtook|sought|fled|bore|blew|blown|shown|felt|"
     "heard|dealt|died|born|tore|torn|sworn|swore|woke|slept|sang|sung|rang|bit|dug|fed|froze|"
     "frozen|lent|lit|slid|spun|sprang|stuck|stung|swung|wound|bound|lay|rid|knelt|leapt|"
     "bent|burnt|clung|crept|drank|drunk|dwelt|flung|forbade|foresaw|forgave|forgot|learnt|outdid|"
     "outgrew|overcame|oversaw|rebuilt|shrank|spelt|spoilt|strove|"
     "sprung|swum|trod|undertook|understood|upheld|wept|withheld|withstood|wove|wrung"},
    {Verb::future,
     "will|would|shall|could|should|must|may|might|can|ll|is|are|expected|expects|expect|scheduled|"
     "due|slated|planned|plans|plan|planning|intends|"
     "hopes|hope|aims|payable|upcoming|begins|starts|opens|expires|takes|runs|ends|closes|resumes|"
     "arrives|returns|seeks|faces|awaits|awaiting|pending|tentatively|meets|kicks|votes|plays|"
     "hosts|travels|reconvenes|reopens|launches|debuts|airs|possible|fears|departs|convenes|go|"
     "goes|begin|reopen|reconvene|resume|arrive|depart|meet"},
    {Verb::promise,
     "agreed|vowed|promised|pledged|threatened|invited|intended|hoped|wanted|wants|decided|urged|"
     "asked|ordered|hired|prepared|supposed|ready|likely|set"},
};

constexpr std::size_t slots = 4096;  // a power of two, about five times the number of words

constexpr std::uint32_t hash_of(std::string_view word) {
  std::uint32_t hash = 2166136261u;
  for (char letter : word) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 16777619u;
  return hash ^ (hash >> 15);
}

class Table {
 public:
  Table() {
    // Later entries do not replace earlier ones: the order of the groups decides a word with two
    // readings.
    for (const Named& each : functions)
      insert_all(each.names,
                 {Class::function, static_cast<std::uint8_t>(each.function),
                  each.function == Function::ago || each.function == Function::present ||
                      each.function == Function::time});
    for (const Group& group : groups) {
      int value = group.first;
      std::string_view rest = group.names;
      while (!rest.empty()) {
        const std::size_t blank = rest.find(' ');
        insert_all(rest.substr(0, blank),
                   {group.cls, static_cast<std::uint8_t>(value), group.trigger});
        if (blank == std::string_view::npos) break;
        rest.remove_prefix(blank + 1);
        ++value;
      }
    }
    for (const Pointing& each : verbs) {
      std::string_view rest = each.names;
      for (std::size_t bar = rest.find('|');; bar = rest.find('|')) {
        point(rest.substr(0, bar), each.verb);
        if (bar == std::string_view::npos) break;
        rest.remove_prefix(bar + 1);
      }
    }
  }

  Lexeme find(std::string_view word) const {
    for (std::uint32_t slot = hash_of(word) % slots;; slot = (slot + 1) % slots) {
      if (words_[slot].empty()) return {};
      if (words_[slot] == word) return lexemes_[slot];
    }
  }

  std::vector<std::string_view> words() const {
    std::vector<std::string_view> words;
    for (std::string_view word : words_) {
      if (!word.empty()) words.push_back(word);
    }
    return words;
  }

 private:
  void insert_all(std::string_view synonyms, Lexeme lexeme) {
    while (true) {
      const std::size_t bar = synonyms.find('|');
      insert(synonyms.substr(0, bar), lexeme);
      if (bar == std::string_view::npos) return;
      synonyms.remove_prefix(bar + 1);
    }
  }
  void insert(std::string_view word, Lexeme lexeme) {
    const std::uint32_t slot = slot_of(word);
    if (!words_[slot].empty()) return;
    words_[slot] = word;
    lexemes_[slot] = lexeme;
  }
  void point(std::string_view word, Verb verb) {
    const std::uint32_t slot = slot_of(word);
    words_[slot] = word;
    lexemes_[slot].verb = verb;
  }
  // Where the word is, or the free slot where it would be.
  std::uint32_t slot_of(std::string_view word) const {
    std::uint32_t slot = hash_of(word) % slots;
    while (!words_[slot].empty() && words_[slot] != word) slot = (slot + 1) % slots;
    return slot;
  }
  std::array<std::string_view, slots> words_{};
  std::array<Lexeme, slots> lexemes_{};
};

const Table table;

WordLengthFilter outline_of(bool triggers) {
  WordLengthFilter outline;
  for (std::string_view word : table.words()) {
    if (!triggers || table.find(word).trigger) outline.add(word);
  }
  return outline;
}

}  // namespace

const WordLengthFilter word_filter = outline_of(false);
const WordLengthFilter trigger_filter = outline_of(true);

Lexeme look_up(std::string_view lower) {
  return lower.size() > max_word_length ? Lexeme{} : table.find(lower);
}

std::vector<std::string_view> lexicon_words() {
  return table.words();
}

}  // namespace asof::timetag
