// Statements of passages as they are read from text, for tests of what is made of them.
import type { Passage } from '../../lib/index.js';
import { Lexicon } from '../../lib/statements/lexicon.js';
import { PassageStatements, readStatements } from '../../lib/statements/statements.js';
import type { WordRange } from '../../lib/statements/textWords.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { tokenEncoder } from '../../lib/vectors/staticEncoder.js';

export const analyzer = englishAnalyzer();
export const encoder = await tokenEncoder();
export const newLexicon = (): Lexicon => new Lexicon(encoder.handle);
/** Of all passages of a test. */
export const lexicon = newLexicon();
const instant = (day: string): number => Date.parse(day);

/** Rows are numbered: 100 for the passage, then 1, 2, ... for its sentences. */
export const passageRow = 100;

export interface TestPassage extends Pick<Passage, 'title' | 'text'> {
  id?: string;
  /** ISO dates. */
  publishedAt?: string;
  validFrom?: string;
  validTo?: string;
  /** Of the corpus; default UTC. */
  timeZone?: string | undefined;
}

export function statementsOf(passage: TestPassage): PassageStatements {
  const { text, title = '', id = 'p', publishedAt, validFrom, validTo, timeZone } = passage;
  const record = {
    id,
    text,
    ...(title === '' ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt: instant(publishedAt) }),
    ...(validFrom === undefined ? {} : { validFrom: instant(validFrom) }),
    ...(validTo === undefined ? {} : { validTo: instant(validTo) }),
  };
  const sentences = splitSentences(text);
  const rows = sentences.map((_, at) => at + 1);
  const [read] = readStatements([{ record, sentences, rows, row: passageRow }], lexicon, timeZone);
  return new PassageStatements(read!, () => record);
}

/** The words of a title, dates aside. */
export function titleWords(title: string): WordRange {
  const record = { id: 'p', text: '', title };
  const others = { sentences: [], rows: [], row: passageRow };
  const [read] = readStatements([{ record, ...others }], lexicon);
  return new PassageStatements(read!, () => record).title;
}
