// Statements of passages as they are read from text, for tests of what is made of them.
import type { Passage } from '../../lib/index.js';
import { Lexicon } from '../../lib/facts/statements/lexicon.js';
import { readStatements, type PassageStatements } from '../../lib/facts/statements/statements.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { tagText } from '../../lib/time/tagger.js';

/** Of all passages of a test. */
export const lexicon = new Lexicon(englishAnalyzer());
const instant = (day: string): number => Date.parse(day);

/** Rows are numbered: 100 for the passage, then 1, 2, ... for its sentences. */
export const passageRow = 100;

export interface TestPassage extends Pick<Passage, 'title' | 'text'> {
  id?: string;
  /** ISO dates. */
  publishedAt?: string;
  validFrom?: string;
  validTo?: string;
}

export function statementsOf(passage: TestPassage): PassageStatements {
  const { text, title = '', id = 'p', publishedAt, validFrom, validTo } = passage;
  const reference = publishedAt === undefined ? {} : { reference: publishedAt };
  const sentences = splitSentences(text);
  return readStatements(
    {
      record: {
        id,
        text,
        ...(title === '' ? {} : { title }),
        ...(publishedAt === undefined ? {} : { publishedAt: instant(publishedAt) }),
        ...(validFrom === undefined ? {} : { validFrom: instant(validFrom) }),
        ...(validTo === undefined ? {} : { validTo: instant(validTo) }),
      },
      text: tagText(text, reference),
      title: tagText(title, reference),
      sentences,
      rows: sentences.map((_, at) => at + 1),
      row: passageRow,
    },
    lexicon,
  );
}
