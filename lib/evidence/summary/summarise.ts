// Query-focused summarisation as a stage (MRAG section 4, appendix H): what each of the first passages says to the question, in one
// text with its dates, so that what is scattered over sentences is found together. By extraction, or by a model, whose summaries may err;
// the reader gets the passage, never the summary.
import type { Asked, Candidate, Candidates, Summary } from '../../candidates/candidate.js';
import { textsOf, type CandidateTexts } from '../../candidates/texts.js';
import { throwIfAborted } from '../../errors.js';
import { stage, type Stage } from '../../stage.js';
import { Readings } from '../../scores/ranker/readings.js';
import { contentTimesOfRows, sentenceRowsOf } from '../../store/rowTimes.js';
import { sentenceText } from '../../store/rows.js';
import { askJson } from '../../text/prompts/ask.js';
import { summaryPrompt, type SummaryAnswer } from '../../text/prompts/summary.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { contentIntervals } from '../../time/clocks.js';
import { wordsBeside } from '../../time/question/anchor.js';
import { tagTimes } from '../../time/tagger.js';
import { condense, type Wanted } from './condense.js';

/** Sentences of one passage that are condensed, its first: what stands pages apart makes no summary. */
const mostSentences = 12;

/** Passages condensed between two looks at the signal. */
const atOnce = 32;

/** Adds to each of the first n passages its summary, where there is one. A summary competes with the passage's sentences and replaces none. */
export function summarise(n: number, model?: TextModel, section?: string): Stage<Candidates, Candidates> {
  if (model) checkTextModel(model);
  return stage(`summarise(${n})`, async ({ asked, found, ...rest }, { note, signal }) => {
    note('by', model ? model.id : 'extraction');
    const first = found.slice(0, n);
    const texts = textsOf(asked);
    const { summaries, unusable } = model
      ? await byModel(model, asked, first, texts, signal)
      : { summaries: await byExtraction(asked, first, signal), unusable: 0 };
    if (unusable > 0) note('unusable', unusable);
    note('summaries', summaries.filter((each) => each !== undefined).length);
    const condensed = first.map((each, at) => (summaries[at] ? withSummary(each, summaries[at]) : each));
    return { ...rest, asked, found: [...condensed, ...found.slice(n)] };
  }, section);
}

/** A candidate's id is computed when it is read: it must not be by copying. */
const withSummary = (candidate: Candidate, summary: Summary): Candidate =>
  Object.defineProperty(candidate, 'summary', { value: summary, enumerable: true, writable: true, configurable: true });

async function byExtraction(asked: Asked, first: readonly Candidate[], signal?: AbortSignal): Promise<(Summary | undefined)[]> {
  const { analyser, snapshot, parsed } = asked;
  const beside = wordsBeside(parsed).map((word) => analyser.analyse(word)).find((terms) => terms.length > 0) ?? [];
  const readings = new Readings(asked);
  const summaries: (Summary | undefined)[] = [];
  for (const [at, candidate] of first.entries()) {
    if (at % atOnce === atOnce - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    throwIfAborted(signal);
    const stored = snapshot.segments[candidate.segment]!;
    const [from, end] = sentenceRowsOf(stored, candidate.passage);
    const to = Math.min(end, from + mostSentences);
    if (to - from < 2) {
      summaries.push(undefined);
      continue;
    }
    const reading = readings.passage(candidate);
    const { title } = reading.record;
    const named = reading.title.distinct;
    const wanted: Wanted = {
      terms: new Set(asked.terms().filter((term) => !named.has(term))),
      beside: new Set(beside.filter((term) => !named.has(term))),
    };
    const dates = contentTimesOfRows(stored.segment, from, to - from);
    const rows = dates.map((_, at) => ({ segment: candidate.segment, row: from + at }));
    const sentences = readings.sentences(reading, rows).map((each, at) => ({
      text: each.text.replace(/\s+/g, ' '), terms: new Set(each.terms), dates: dates[at]!,
    }));
    const summary = condense(sentences, wanted);
    summaries.push(summary && { text: sentenceText(title, summary.text), dates: summary.dates });
  }
  return summaries;
}

/** All at the same time; an answer that cannot be used leaves its passage without a summary, one that fails stops the others. */
async function byModel(
  model: TextModel,
  asked: Asked,
  first: readonly Candidate[],
  texts: CandidateTexts,
  outer?: AbortSignal,
): Promise<{ summaries: (Summary | undefined)[]; unusable: number }> {
  const others = new AbortController();
  const signal = outer ? AbortSignal.any([outer, others.signal]) : others.signal;
  const said = await Promise.all(
    first.map((candidate) => askJson<SummaryAnswer>(model, summaryPrompt(asked.searchText, texts.passage(candidate)), signal)),
  ).catch((error: unknown) => {
    others.abort();
    throwIfAborted(outer);
    throw error;
  });
  const sentences = said.map((each) => ('value' in each && each.value.answers ? each.value.sentence.replace(/\s+/g, ' ').trim() : ''));
  const tagged = await tagTimes(sentences, { references: first.map((each) => texts.passage(each).publishedAt), ...(outer ? { signal: outer } : {}) });
  const summaries = sentences.map((text, at) =>
    text === '' ? undefined : { text: sentenceText(texts.passage(first[at]!).title, text), dates: contentIntervals(tagged[at]!.mentions, text) },
  );
  return { summaries, unusable: said.filter((each) => 'unusable' in each).length };
}
