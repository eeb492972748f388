// English word families of measures and synonyms: words of one family denote different measures
// ("cases", "deaths"), words of one group the same.
import { stemmer } from 'stemmer';

/**
 * Families, each of groups of words that mean one thing; the groups of a family exclude each other.
 */
const measures: readonly (readonly string[])[] = [
  [
    'high highs highest maximum max peak top tops warmest',
    'low lows lowest minimum min overnight coldest',
    'average mean',
    'median',
  ],
  [
    'cases case infections infection infected positive positives',
    'deaths death died dead fatalities fatality killed deadliest',
    'recoveries recovered recovery',
    'hospitalised hospitalized hospitalisations hospitalizations admissions admitted',
    'vaccinated vaccinations doses jabs vaccination',
    'injured injuries wounded',
    'missing',
  ],
  ['newly daily', 'total totals cumulative altogether overall'],
  ['men male males boys mens man', 'women female females girls womens woman', 'mixed'],
  ['final finals', 'semifinal semifinals', 'quarterfinal quarterfinals'],
  ['imports import imported', 'exports export exported'],
  [
    'revenue revenues sales turnover',
    'profit profits earnings income',
    'losses',
    'costs cost expenses expenditure spending',
    'debt debts',
    'assets',
  ],
  ['wins win victories', 'defeats losses', 'draws ties'],
  ['goals', 'assists', 'caps appearances', 'rebounds', 'wickets', 'runs', 'points'],
  [
    'population inhabitants',
    'households',
    'families',
    'housing dwellings',
    'density',
    'elevation altitude',
    'area',
  ],
  ['births birth', 'marriages', 'divorces'],
  ['arrivals arrival arrives arrive', 'departures departure departs depart leaves'],
  ['wholesale', 'retail'],
  ['diesel', 'petrol gasoline', 'kerosene'],
  [
    'humidity',
    'gusts gust wind winds',
    'pressure',
    'snowfall',
    'rainfall precipitation',
    'visibility',
  ],
  ['students pupils enrolment enrollment', 'teachers faculty staff'],
  ['critics critic', 'audience audiences viewers'],
  ['adult adults', 'children child'],
  ['buyers', 'sellers'],
  ['unemployment unemployed jobless', 'employment employed'],
  ['literacy', 'poverty', 'inflation', 'fertility', 'mortality'],
];

/**
 * The same for words that a description may change without speaking of another measure: they count
 * where nothing else names the subject.
 */
const kinds: readonly (readonly string[])[] = [
  [
    'north northern',
    'south southern',
    'east eastern',
    'west western',
    'central',
    'northeast northeastern',
    'northwest northwestern',
    'southeast southeastern',
    'southwest southwestern',
  ],
  [
    'first 1st',
    'second 2nd',
    'third 3rd',
    'fourth 4th',
    'fifth 5th',
    'sixth 6th',
    'seventh 7th',
    'eighth 8th',
    'ninth 9th',
    'tenth 10th',
    '11th',
    '12th',
  ],
  ['morning', 'afternoon', 'evening', 'night nights'],
  ['home', 'away'],
  ['urban', 'rural'],
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['junior', 'senior', 'youth'],
  ['red', 'blue', 'green', 'yellow', 'orange', 'purple'],
  ['upper', 'lower'],
  ['inner', 'outer'],
  ['left', 'right'],
  ['primary elementary', 'secondary'],
  ['new', 'old'],
  ['cup', 'league', 'friendly'],
  ['single', 'return'],
  ['deputy vice assistant', 'former ex'],
];

/** Other words for one thing, beside those above. */
const synonyms = [
  'forecast outlook prediction forecasters forecasts predicted',
  'temperature temperatures thermometer',
  'count tally toll number',
  'person people persons residents',
  'price prices fare fares',
  'rating score',
  'covid covid19 coronavirus sarscov2',
  'boss manager',
  'coach trainer',
  'quake earthquake',
  'employees staff workers employs',
  'ceo executive',
];

interface Entry {
  family: string;
  group: string;
  strict: boolean;
}

const entries = new Map<string, Entry[]>();
const heads = new Map<string, string>();
function enter(families: readonly (readonly string[])[], strict: boolean, label: string): void {
  families.forEach((groups, family) =>
    groups.forEach((group) => {
      const stems = [...new Set(group.split(' ').map((word) => stemmer(word)))];
      for (const stem of stems) {
        entries.set(stem, [
          ...(entries.get(stem) ?? []),
          { family: `${label}${family}`, group: stems[0]!, strict },
        ]);
        if (!heads.has(stem)) heads.set(stem, stems[0]!);
      }
    }),
  );
}
enter(measures, true, 'measure');
enter(kinds, false, 'kind');
for (const group of synonyms) {
  const stems = group.split(' ').map((word) => stemmer(word));
  for (const stem of stems) if (!heads.has(stem)) heads.set(stem, stems[0]!);
}

/** One form for all words of a group; other words are their own stem. */
export const headOf = (stem: string): string => heads.get(stem) ?? stem;

/** By family, the groups that a text has words of. */
export type Measures = ReadonlyMap<string, ReadonlySet<string>>;

/** The measures that words name; `all` counts the families of kinds too. */
export function measuresOf(stems: Iterable<string>, all: boolean): Measures {
  const groups = new Map<string, Set<string>>();
  for (const stem of stems) {
    for (const { family, group, strict } of entries.get(stem) ?? []) {
      if (!strict && !all) continue;
      groups.set(family, (groups.get(family) ?? new Set()).add(group));
    }
  }
  return groups;
}

/** Whether two texts name different measures of one family. */
export function measuresDiffer(a: Measures, b: Measures): boolean {
  for (const [family, groups] of a) {
    const theirs = b.get(family);
    if (theirs && ![...groups].some((group) => theirs.has(group))) return true;
  }
  return false;
}

const events = new Set(
  measures[1]!.flatMap((group) => group.split(' ').map((word) => stemmer(word))),
);
/**
 * Whether a word is for what happens to people one after the other, so that "new" ones are those of
 * a day.
 */
export const namesEvent = (stem: string): boolean => events.has(stem);

/** Whether a word belongs to a family at all: it is then never a value. */
export const namesMeasure = (stem: string): boolean => entries.has(stem);

const stemsOf = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').map((word) => stemmer(word)));

const roleWords = stemsOf(
  'president mayor governor minister premier chancellor king queen monarch emperor sultan ' +
    'pope bishop archbishop chair chairman chairwoman ' +
    'chairperson ceo cfo cto executive head leader director manager coach captain owner host ' +
    'presenter editor champion winner holder incumbent ' +
    'principal dean rector secretary treasurer speaker ambassador commander chief conductor ' +
    'skipper sponsor capital headquarters venue ' +
    'goalkeeper headteacher superintendent commissioner',
);
/** A word for an office, a title or a place that one holder has at a time. */
export const namesRole = (stem: string): boolean => roleWords.has(stem);

const holdingVerbs = stemsOf(
  'lead led head hold held coach captain chair top own host serve won win became become ' +
    'elected appointed named succeed replace run manage edit ' +
    'govern rule',
);
export const tellsOfHolding = (stem: string): boolean => holdingVerbs.has(stem);

const appointing = stemsOf('elected appointed named chosen hired picked crowned installed by');
/** A word behind which the holder stands, not what is held. */
export const appoints = (stem: string): boolean => appointing.has(stem);

const bodies = stemsOf(
  'team club side company firm group party board city town village state country county ' +
    'province region government authority council bank party band',
);
/** A word for what a name is anyway: "Falken team", "Oru province". */
export const namesBody = (stem: string): boolean => bodies.has(stem);

const changing = stemsOf(
  'set raised rose rises fell falls dropped cut lowered increased decreased revised restated ' +
    'put stands stood climbed grew reached hit reduced ' +
    'adjusted corrected updated reported says said estimated shows showed',
);
/** A verb that says how a value came about and not what it is of. */
export const tellsOfChange = (stem: string): boolean => changing.has(stem);

const extremes = stemsOf(measures[0]!.slice(0, 2).join(' '));
/** Whether a word is for the high or the low of a day. */
export const namesExtreme = (stem: string): boolean => extremes.has(stem);

const schedulingWords = stemsOf(
  'scheduled rescheduled moved postponed delayed due open reopen begin start set planned ' +
    'launch expire deadline depart departure arrive arrival ' +
    'takes place close end finish expected slated premiere',
);
const sides = new Map<string, string>(
  (
    [
      ['begin', 'open opening opens reopen reopening begin beginning start launch premiere'],
      ['end', 'close closing end ending finish expire expiry deadline due'],
      ['leave', 'depart departure leave'],
      ['come', 'arrive arrival'],
    ] as const
  ).flatMap(([side, words]) => [...stemsOf(words)].map((stem) => [stem, side] as const)),
);
/**
 * Which end of a thing a word of planning speaks of; undefined for "scheduled" and other words of
 * either.
 */
export const sideOfSchedule = (stem: string): string | undefined => sides.get(stem);

/** A word behind which a date is what is told, not when. */
export const schedules = (stem: string): boolean => schedulingWords.has(stem);

const weatherWords = stemsOf(
  'sun sunny clear fair bright cloud clouds cloudy overcast grey gray rain rainy shower ' +
    'showers drizzle storm storms stormy thunderstorm ' +
    'thunderstorms thunder snow snowy sleet hail fog foggy mist misty haze hazy wind windy ' +
    'breezy frost dry wet hot ' +
    'warm mild cool cold mostly partly',
);
/** A word for what the weather is like, of which every forecast has another. */
export const tellsOfWeather = (stem: string): boolean => weatherWords.has(stem);

const identifying = stemsOf(
  'no number route flight chapter article section room line bus highway gate platform ' +
    'episode season week day round group class grade level ' +
    'version model page act bill unit block district ward lot apartment suite runway channel ' +
    'aged age stage lane tier phase part volume issue ' +
    'edition division type size',
);
/** A word behind which a number is a name. */
export const numbersName = (stem: string): boolean => identifying.has(stem);

/** Other names of places and bodies, as sequences of folded words; the longest is tried first. */
const aliases: readonly (readonly [readonly string[], readonly string[]])[] = (
  [
    ['nyc', 'new york city'],
    ['ny city', 'new york city'],
    ['united states of america', 'united states'],
    ['usa', 'united states'],
    ['us', 'united states'],
    ['america', 'united states'],
    ['uk', 'united kingdom'],
    ['great britain', 'united kingdom'],
    ['britain', 'united kingdom'],
    ['uae', 'united arab emirates'],
    ['eu', 'european union'],
    ['dc', 'district columbia'],
    ['la', 'los angeles'],
    ['sf', 'san francisco'],
    ['holland', 'netherlands'],
    ['czechia', 'czech republic'],
    ['burma', 'myanmar'],
    ['nws', 'national weather service'],
    ['un', 'united nations'],
    ['who', 'world health organization'],
    ['ft', 'fort'],
    ['st', 'saint'],
    ['mt', 'mount'],
    ['spgs', 'springs'],
    ['spgfld', 'springfield'],
    ['hts', 'heights'],
    ['intl', 'international'],
    ['univ', 'university'],
    ['inc', ''],
    ['corp', 'corporation'],
    ['ltd', ''],
    ['plc', ''],
    ['mr', ''],
    ['mrs', ''],
    ['ms', ''],
    ['dr', ''],
    ['sir', ''],
    ['covid19', 'covid'],
    ['coronavirus', 'covid'],
  ] as const
)
  .map(([from, to]) => [from.split(' '), to === '' ? [] : to.split(' ')] as const)
  .sort(([a], [b]) => b.length - a.length);

/** Aliases by their first word; the longest comes first. */
export const aliasesOf: ReadonlyMap<
  string,
  readonly (readonly [readonly string[], readonly string[]])[]
> = new Map(
  [...new Set(aliases.map(([[first]]) => first!))].map((first) => [
    first,
    aliases.filter(([from]) => from[0] === first),
  ]),
);

/** Codes of states behind a comma: "Portland, OR". */
export const stateCodes: ReadonlyMap<string, string> = new Map(
  (
    'AL alabama AK alaska AZ arizona AR arkansas CA california CO colorado CT connecticut DE ' +
    'delaware FL florida GA georgia HI hawaii ID ' +
    'idaho IL illinois IN indiana IA iowa KS kansas KY kentucky ' +
    'LA louisiana ME maine MD maryland MA massachusetts MI michigan MN minnesota MS ' +
    'mississippi MO missouri MT montana NE nebraska NV ' +
    'nevada OH ohio OK oklahoma OR oregon PA pennsylvania ' +
    'SC south-carolina SD south-dakota NC north-carolina ND north-dakota TN tennessee TX ' +
    'texas UT utah VT vermont VA virginia WA ' +
    'washington WI wisconsin WV west-virginia WY wyoming'
  )
    .split(/ (?=[A-Z]{2} )/)
    .map((pair) => pair.split(' ') as [string, string]),
);
