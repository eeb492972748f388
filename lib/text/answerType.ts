// Expected answer type of a question, by its wh-word and head noun. Rules over English question
// forms and short lists of general nouns, without entities.

/**
 * Answer types; `name` is any proper name, `role` an office, rank or occupation, `version` that of
 * a program.
 */
export type AnswerType =
  | 'date'
  | 'number'
  | 'score'
  | 'version'
  | 'person'
  | 'organisation'
  | 'place'
  | 'role'
  | 'name';

const words = (list: string): Set<string> => new Set(list.split(' '));

// Head nouns by answer type; plural forms are reduced before the lookup.
const nouns: readonly [AnswerType, ReadonlySet<string>][] = [
  [
    'place',
    words(
      'city town village country nation state county region province district municipality ' +
        'capital location place street continent island area territory venue headquarters ' +
        'neighborhood borough republic kingdom empire jurisdiction address site base stadium ' +
        'prefecture oblast',
    ),
  ],
  [
    'organisation',
    words(
      'team club company school university college institution institute league party band ' +
        'label network channel station employer organization organisation army military branch ' +
        'unit regiment squadron division airline airlines publisher firm corporation brand ' +
        'manufacturer operator museum church agency association federation group conference ' +
        'chain bank newspaper magazine studio railway railroad academy fraternity body owner ' +
        'fleet navy force alliance side franchise sponsor constructor maker',
    ),
  ],
  [
    'role',
    words(
      'position title job role rank occupation profession office post career duty function ' +
        'employment responsibility line work',
    ),
  ],
  [
    'person',
    words(
      'person player man woman people individual politician editor coach manager president ' +
        'minister mayor governor king queen director leader chairman chair chairperson head ' +
        'actor actress singer artist author writer wife husband spouse partner winner champion ' +
        'runner-up finalist laureate scientist chemist architect captain commander general ' +
        'bishop pope emperor secretary chief ceo executive founder candidate athlete senator ' +
        'ambassador commissioner principal chancellor teacher member guy lady opponent',
    ),
  ],
  ['date', words('year date day month decade century season')],
  ['version', words('version')],
  [
    'number',
    words(
      'number population price cost count total percentage rate height speed temperature ' +
        'length weight distance amount income age size area value share depth width attendance ' +
        'capacity budget salary revenue toll rent fee fare tax wage profit loss debt deficit ' +
        'surplus limit maximum minimum average quota threshold ratio proportion turnover sum ' +
        'altitude elevation rainfall inflation unemployment gdp dividend expenditure output ' +
        'voltage frequency magnitude circulation headcount tariff allowance fine discount',
    ),
  ],
];

const single = (noun: string): string =>
  !noun.endsWith('s') || /(?:ss|us|is)$/.test(noun)
    ? noun
    : noun
        .replace(/ies$/, 'y')
        .replace(/(?<=ch|sh|x)es$/, '')
        .replace(/s$/, '');

/** Index of the first list that has a noun. */
const listIndex = new Map(
  nouns.flatMap(([, list], at) => [...list].map((noun) => [noun, at] as const)).reverse(),
);

/** Of a noun in lower case; undefined if no list or suffix decides. */
function nounType(noun: string): AnswerType | undefined {
  const base = single(noun);
  const listed = Math.min(listIndex.get(noun) ?? Infinity, listIndex.get(base) ?? Infinity);
  if (listed < nouns.length) return nouns[listed]![0];
  return base.length > 5 && /(?:er|or|ist|ian|ess)$/.test(base) && !things.test(base)
    ? 'person'
    : undefined;
}

// Things with the suffix of professions.
const things = new RegExp(
  '(?:number|quarter|center|theater|computer|order|letter|paper|water|power|tower|career|' +
    'chapter|charter|matter|weather|answer|factor|sector|motor|' +
    'error|color|harbor|labor|address|process|business|fortress|tractor|reactor|register|' +
    'cluster|border|cover|server)$',
);

// Nouns whose answer is a sentence.
const statements = words(
  'forecast weather reason purpose cause difference effect result status situation outlook ' +
    'meaning explanation story plot description happened happen',
);

// Words that end the noun phrase after "which": verbs, auxiliaries, prepositions.
const phraseEnd = words(
  'is was were are did does do has had have will would could can where when whose whom in on ' +
    'at from to of for by with as that who which during between before after until since when ' +
    'while be been being owned held ran led won played worked served became s',
);

/** "What did the plan cost in 2020?": a verb that only a quantity completes. */
const measured = /\bwhat (?:does|did|do|will|would)\s(?:[^?]*\s)?(?:cost|weigh)\b/u;

/** Undefined if no rule applies: then spans of every form are possible. */
export function answerType(question: string): AnswerType | undefined {
  const text = question.toLowerCase();
  if (
    /\b(?:the|what|which|a|by what)\s(?:[\p{L}-]+\s){0,2}score\b|^\W*(?:final )?score\b/u.test(text)
  )
    return 'score';
  if (
    /\bhow (?:many|much|old|tall|high|long|fast|far|big|large|warm|cold|hot|deep|wide|heavy)\b/.test(
      text,
    )
  )
    return 'number';
  if (measured.test(text)) return 'number';
  if (/\bwhen\b/.test(text) && !/\b(?:who|whom|which|what|where|how)\b/.test(text)) return 'date';
  const head = headNoun(text);
  const byNoun = head === undefined ? undefined : nounType(head);
  if (byNoun) return byNoun;
  if (/\b(?:who|whom|whose)\b/.test(text)) return 'person';
  if (/\bwhere\b/.test(text)) return 'place';
  if (/\b(?:winner|champion|runner-up|finalist)s?\b/.test(text)) return 'person';
  if (/\bwhen\b/.test(text) && !/\b(?:which|what)\b/.test(text)) return 'date';
  if (head !== undefined && statements.has(head)) return undefined;
  return /\b(?:which|what)\b/.test(text) ? 'name' : undefined;
}

/** The head noun of "which football team", "what was the position", "name of the school". */
function headNoun(text: string): string | undefined {
  const start = /\b(?:which|what|(?:name|tell|give|find)(?: me)?(?= the\b))\b/.exec(text);
  if (!start) return undefined;
  const tokens = text.slice(start.index + start[0].length).match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  let at = 0;
  while (at < tokens.length && /^(?:is|was|were|are|s|the|a|an|did|does|be)$/.test(tokens[at]!))
    at += 1;
  const phrase: string[] = [];
  for (; at < tokens.length && phrase.length < 6 && !phraseEnd.has(tokens[at]!); at += 1)
    phrase.push(tokens[at]!);
  const last = phrase.at(-1);
  // "the name of the school", "what type of aircraft", "one of the players": the noun after "of"
  // decides.
  if (
    last !== undefined &&
    /^(?:name|type|kind|sort|one|title)s?$/.test(last) &&
    tokens[at] === 'of'
  ) {
    const rest = tokens
      .slice(at + 1)
      .filter((token) => !/^(?:the|a|an|his|her|its|their)$/.test(token));
    const upTo = rest.findIndex((token) => phraseEnd.has(token) || /'s$/.test(token));
    const further = rest.slice(0, upTo < 0 ? 4 : Math.min(upTo, 4)).at(-1);
    if (further !== undefined && nounType(further)) return further;
  }
  // The phrase may run past its head: "what team did he play for" ends at "did", "what city hosted
  // it" does not end at its verb.
  return phrase.findLast((word) => nounType(word) !== undefined) ?? last;
}

/** Whether the question expects several answers. */
export function expectsList(question: string): boolean {
  const text = question.toLowerCase();
  return /\b(?:which|what) (?:two|three|four|five)\b|\bfinalists\b|\bwho (?:were|are|played in|contested)\b|\blist (?:all|the)\b/.test(
    text,
  );
}
