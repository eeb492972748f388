// Inflected forms of a question's words: plays, played, playing of "play", won of "win". Rules and
// common irregular verbs; forms that do not exist are harmless, since they only serve a search.

const irregular: readonly (readonly string[])[] = (
  'win wins won winning|hold holds held holding|lead leads led leading|become becomes became ' +
  'becoming|write writes wrote written writing|sing sings sang sung singing|take takes took ' +
  'taken taking|teach teaches taught teaching|run runs ran running|make makes made making|give ' +
  'gives gave given giving|fight fights fought fighting|buy buys bought buying|sell sells sold ' +
  'selling|build builds built building|lose loses lost losing|leave leaves left leaving|begin ' +
  'begins began begun beginning|break breaks broke broken breaking|choose chooses chose chosen ' +
  'choosing|drive drives drove driven driving|fall falls fell fallen falling|find finds found ' +
  'finding|fly flies flew flown flying|go goes went gone going|grow grows grew grown ' +
  'growing|know knows knew known knowing|meet meets met meeting|pay pays paid paying|rise rises ' +
  'rose risen rising|say says said saying|see sees saw seen seeing|send sends sent sending|sit ' +
  'sits sat sitting|speak speaks spoke spoken speaking|spend spends spent spending|stand stands ' +
  'stood standing|wear wears wore worn wearing|draw draws drew drawn drawing|beat beats beaten ' +
  'beating|bear bears bore born borne|come comes came coming|get gets got gotten getting|keep ' +
  'keeps kept keeping|bring brings brought bringing|shoot shoots shot shooting|steal steals ' +
  'stole stolen|strike strikes struck striking|swim swims swam swum swimming|throw throws threw ' +
  'thrown throwing|man men|woman women|child children|person people|wife wives|life lives|city ' +
  'cities'
)
  .split('|')
  .map((forms) => forms.split(' '));
const irregularOf = new Map(
  irregular.flatMap((forms) => forms.map((form) => [form, forms] as const)),
);

/** Whether a word is a form of a listed irregular verb or noun. */
export const isIrregular = (word: string): boolean => irregularOf.has(word.toLowerCase());

/** The word in lower case and the other forms of its possible base forms. */
export function inflections(word: string): string[] {
  const lower = word.toLowerCase();
  const known = irregularOf.get(lower);
  if (known) return [lower, ...known.filter((form) => form !== lower)];
  if (!/^[a-z]{3,}$/.test(lower)) return [lower];
  return [...new Set([lower, ...bases(lower).flatMap(regularForms)])];
}

/** Possible base forms of a regular form, itself included if it has no suffix. */
function bases(word: string): string[] {
  const undoubled = (stem: string): string[] =>
    /([bdgklmnprt])\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  const sound = (base: string): boolean => base.length >= 3 && /[aeiouy]/.test(base);
  const ending = /(?:ies|ied|ing|ed|sses|[cs]hes|xes|s)$/.exec(word)?.[0];
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  switch (ending) {
    case 'ies':
    case 'ied':
      return [`${stem}y`].filter(sound);
    case 'ing':
    case 'ed':
      return [stem, `${stem}e`, ...undoubled(stem)].filter(sound);
    case 's':
      return /(?:s|u|i)$/.test(stem) ? [word] : [stem].filter(sound);
    case undefined:
      return [word];
    default:
      return [word.slice(0, -2)].filter(sound);
  }
}

function regularForms(base: string): string[] {
  if (/[^aeiou]y$/.test(base))
    return [base, `${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`];
  if (base.endsWith('e')) return [base, `${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  return [
    base,
    /(?:s|x|z|ch|sh)$/.test(base) ? `${base}es` : `${base}s`,
    `${base}ed`,
    `${base}ing`,
  ];
}
