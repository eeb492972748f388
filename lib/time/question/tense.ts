// Past tense and predictions in a question, by its verb forms and words.

/** Irregular past tenses and participles; those equal to the present are excluded. */
export const irregularPast =
  'was|were|did|had|been|beat|became|began|begun|born|bought|broke|broken|brought|built|' +
  'burst|came|caught|chose|chosen|drew|drove|driven|drawn|fell|fallen|flew|flown|fought|' +
  'found|gave|given|went|gone|grew|got|held|hired|kept|knew|known|laid|led|left|lost|made|' +
  'met|paid|ran|rose|said|sang|sank|sat|saw|sent|shot|sold|spent|spoke|stood|stole|stolen|' +
  'struck|sung|sunk|swam|swore|sworn|taken|taught|told|took|thought|won|wore|worn|wrote|' +
  'written';
const present = 'need|speed|feed|seed|breed|exceed|proceed|indeed|hundred|weed|bleed|shed';

/** A finite past tense or a past participle. */
export const past = new RegExp(
  String.raw`\b(?:${irregularPast}|used to|(?!(?:${present})\b)[a-z]{2,}ed)\b`,
  'i',
);

/** Whether the main clause is in the past; "is computed" and "does it need" are not. */
export const isPast = (text: string): boolean =>
  /\b(?:was|were|did|had|used to)\b/i.test(text) ||
  (past.test(text) && !/\b(?:is|are|do|does|can|should|must)\b|\w['’]s (?:an?|the)\b/i.test(text));

/** A word for predictions. */
export const prediction = new RegExp(
  String.raw`\b(?:forecast(?:s|ed)?|predict(?:s|ed|ions?)|project(?:ed|ions?)|expected|` +
    String.raw`anticipated|outlook|supposed to|likely to|chances? of)\b`,
  'i',
);
/** The future tense. */
export const future = /\b(?:will|going to)\b|['’]ll\b/i;

/** Whether the question is in the future or has a word for predictions. */
export const isForecast = (skeleton: string): boolean =>
  prediction.test(skeleton) || future.test(skeleton);
