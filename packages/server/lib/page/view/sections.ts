// The answer, what the question asks of time, and the tables under disclosures.
import { h, quoted, table, type Child } from '@asof/pages/dom';
import { anyValue, milliseconds, score } from '@asof/pages/format';
import type { ResultRecord, TraceRecord } from '../../http/pageData.js';
import { askedWords, dateWords, timeWords, validWords } from '../dates.js';
import { askedAtOf, type Row, type SeriesRow } from '../rows.js';
import { likelihood } from '../scoreWords.js';
import { constraintWords } from '../why.js';

/** Characters from which an answer is a sentence and set smaller. */
const longAnswer = 60;

/** The answer with the sentence that states it. */
export function answerOf(result: ResultRecord, rows: readonly Row[]): Child[] {
  const { answer, unanswered, answer_sentence: sentence, answer_confidence: sure } = result;
  const source = rows.find(({ id }) => id === result.answer_evidence?.[0]);
  const asked = askedWords(askedAtOf(result), result.time_zone);
  const head = h('p', { class: 'as-of' }, `As of ${asked}`);
  if (typeof answer !== 'string') {
    const why = unanswered ?? 'No passage of the corpus answers this as of that time.';
    return [head, h('p', { class: 'answer none' }, 'No answer'), h('p', { class: 'lead' }, why)];
  }
  const parts: Child[] = [
    sure !== undefined && `${likelihood(sure)} likely`,
    source && [sure === undefined ? 'From “' : ', from “', quoted(source.title), '”'],
  ];
  return [
    head,
    h('p', { class: answer.length > longAnswer ? 'answer long' : 'answer', dir: 'auto' }, answer),
    typeof sentence === 'string' &&
      sentence !== answer &&
      h('blockquote', { dir: 'auto' }, ...around(sentence, answer)),
    h('p', { class: 'lead' }, parts, '.'),
  ];
}

function around(sentence: string, answer: string): Child[] {
  const at = sentence.indexOf(answer);
  if (at < 0) return [sentence];
  return [sentence.slice(0, at), h('mark', {}, answer), sentence.slice(at + answer.length)];
}

export const constraintOf = (result: ResultRecord): HTMLElement =>
  h('p', { class: 'constraint' }, constraintWords(result));

const states = { evidence: 'evidence', superseded: 'superseded', later: 'not yet published' };

/** The figure as a table. */
export const rowTable = (rows: readonly Row[]): HTMLElement =>
  table({
    label: 'Passages and their times',
    columns: [
      ['passage', 'prose'],
      ['rank', 'number'],
      ['standing', 'prose'],
      ['published'],
      ['valid'],
      ['speaks of', 'prose'],
      ['score', 'number'],
    ],
    rows: rows.map((row): Child[] => [
      quoted(row.title),
      row.rank ?? '',
      row.faded ? (row.because ?? states.superseded) : states[row.state],
      row.publishedText === undefined ? '' : timeWords(row.publishedText),
      row.valid ? validWords(row.valid).replace(/^valid /, '') : '',
      row.dates.map((each) => dateWords(each, row.evidence?.time_zone)).join('; '),
      row.evidence && row.state === 'evidence' ? score(row.evidence.score) : '',
    ]),
  });

export const seriesTable = (rows: readonly SeriesRow[]): HTMLElement =>
  table({
    label: 'Members of the series',
    columns: [
      ['value', 'prose'],
      ['from'],
      ['until'],
      ['published'],
      ['statement', 'prose'],
      ['passages', 'prose'],
      ['probability', 'number'],
    ],
    rows: rows.map((row): Child[] => [
      quoted(row.name),
      row.start_iso === null ? '' : timeWords(row.start_iso),
      row.end_iso === null ? '' : timeWords(row.end_iso),
      row.published_at === undefined ? '' : timeWords(row.published_at),
      quoted(row.statement),
      [
        row.evidence.join(', '),
        row.supersedes.length > 0 ? `; supersedes ${row.supersedes.join(', ')}` : '',
      ],
      likelihood(row.probability),
    ]),
  });

export const traceTable = (trace: readonly TraceRecord[]): HTMLElement =>
  table({
    label: 'Stages',
    columns: [['stage'], ['time', 'number'], ['notes', 'prose']],
    rows: trace.map(({ stage, milliseconds: time, notes = {} }): Child[] => [
      h('code', {}, stage),
      milliseconds(time),
      Object.entries(notes)
        .map(([key, value]) => `${key} ${anyValue(value)}`)
        .join(', '),
    ]),
  });
