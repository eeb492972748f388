// The published code of MRAG's re-implementation scores a passage by its best window of
// neighbouring sentences, encoded when asked for, and by the years that it names. Columns only: how
// they make a score is `columns.ts`.
import type { Candidates } from '../../retrieval/candidate.js';
import { semanticOnly } from '../../retrieval/search.js';
import { textsOf } from '../../retrieval/texts.js';
import { scoreTexts } from '../../retrieval/textScores.js';
import { invalidArgument, throwIfAborted } from '../../errors.js';
import { stage, type Stage } from '../../pipeline.js';
import { splitSentences } from '../../text/sentences.js';
import { parseYearQuestion, yearScore, yearsIn } from '../../time/question/years.js';

/**
 * The windows of a text: `size` sentences each, `stride` apart, the whole text where it has no more
 * than that.
 */
function sentenceWindows(text: string, size: number, stride: number): string[] {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end));
  if (sentences.length <= size) return [sentences.join(' ')];
  const windows: string[] = [];
  for (let from = 0; from + size <= sentences.length; from += stride)
    windows.push(sentences.slice(from, from + size).join(' '));
  return windows;
}

/**
 * Adds the column `window`: the greatest cosine between the question and a window of the
 * candidate's passage (without its title).
 */
export function bestWindow(
  { size = 3, stride = 1 }: { size?: number; stride?: number } = {},
  section?: string,
): Stage<Candidates, Candidates> {
  for (const [name, value] of Object.entries({ size, stride })) {
    if (!Number.isInteger(value) || value < 1)
      throw invalidArgument(`windows.${name}`, 'a whole number of at least 1', value);
  }
  return stage(
    `bestWindow(${size} by ${stride})`,
    async ({ asked, found }, { signal }) => {
      const texts = textsOf(asked);
      const windows = found.map((each) => sentenceWindows(texts.passage(each).text, size, stride));
      const scores = await scoreTexts(asked, windows.flat(), semanticOnly, signal);
      throwIfAborted(signal);
      let from = 0;
      found.forEach((each, number) => {
        const own = scores.slice(from, (from += windows[number]!.length));
        each.scores = {
          ...each.scores,
          window: Math.max(...own.map(({ similarity }) => similarity)),
        };
      });
      return { asked, found };
    },
    section,
  );
}

/**
 * Adds the column `years`: 1, 0.5 or less, as `yearScore` says, of the years that the passage's
 * text names.
 */
export function passageYears(span = 20, section?: string): Stage<Candidates, Candidates> {
  if (!(span > 0) || !Number.isFinite(span))
    throw invalidArgument('span', 'a finite number of years above 0', span);
  return stage(
    `years(${span})`,
    ({ asked, found }, context) => {
      const { asked: range } = parseYearQuestion(asked.parsed.text);
      context.note('years', range ?? 'none');
      const texts = textsOf(asked);
      for (const each of found)
        each.scores = {
          ...each.scores,
          years: yearScore(range, yearsIn(texts.passage(each).text), span),
        };
      return { asked, found };
    },
    section,
  );
}
