// Query-focused summarisation as a stage (MRAG section 4, appendix H): what each of the first passages says to the question, in one
// text with its dates, so that what is scattered over sentences is found together. By extraction, or by a model, whose summaries may err;
// the reader gets the passage, never the summary.
import type { Asked, Candidate, Candidates, Summary } from '../../candidates/candidate.js';
import { countTerms } from '../../candidates/termCounts.js';
import { textsOf, type CandidateTexts } from '../../candidates/texts.js';
import { throwIfAborted } from '../../errors.js';
import { stage, type Stage } from '../../stage.js';
import { Readings } from '../../scores/ranker/readings.js';
import { contentTimesOfEach, sentenceRowsOfEach, sentencesOfEach } from '../../store/rowTimes.js';
import { sentenceText } from '../../store/rows.js';
import { askJson } from '../../text/prompts/ask.js';
import type { Span } from '../../text/sentences.js';
import { summaryPrompt, type SummaryAnswer } from '../../text/prompts/summary.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { contentIntervals } from '../../time/clocks.js';
import type { Interval } from '../../time/interval.js';
import { wordsBeside } from '../../time/question/anchor.js';
import { tagTimes } from '../../time/tagger.js';
import { condense, type DatedSentence, type Wanted } from './condense.js';

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
function withSummary(candidate: Candidate, summary: Summary): Candidate {
  candidate.summary = summary;
  return candidate;
}

async function byExtraction(asked: Asked, first: readonly Candidate[], signal?: AbortSignal): Promise<(Summary | undefined)[]> {
  const { analyser, parsed } = asked;
  const beside = wordsBeside(parsed).map((word) => analyser.analyse(word)).find((terms) => terms.length > 0) ?? [];
  const told = toldBy(asked, first);
  const terms = [...new Set([...asked.terms(), ...beside])];
  const { counts } = await countTerms(asked.snapshot, told.flatMap(({ rows }) => rows), terms, signal);
  const readings = new Readings(asked);
  const summaries: (Summary | undefined)[] = [];
  let at = 0;
  for (const [number, { rows, dates, spans }] of told.entries()) {
    if (number % atOnce === atOnce - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    throwIfAborted(signal);
    if (rows.length === 0) {
      summaries.push(undefined);
      continue;
    }
    const { record: { title, text }, title: { distinct: named } } = readings.passage(first[number]!);
    const wanted: Wanted = {
      terms: new Set(asked.terms().filter((term) => !named.has(term))),
      beside: new Set(beside.filter((term) => !named.has(term))),
    };
    const sentences = rows.map((_, sentence) => new ToldSentence(text, spans[sentence]!, heldIn(terms, counts, (at += 1) - 1), dates[sentence]!));
    const summary = condense(sentences, wanted);
    summaries.push(summary && { text: sentenceText(title, summary.text), dates: summary.dates });
  }
  return summaries;
}

/** Of the terms, those that a row has or its title, by `countTerms`. */
function heldIn(terms: readonly string[], counts: Uint32Array, row: number): Set<string> {
  const held = new Set<string>();
  for (let term = 0; term < terms.length; term += 1) if (counts[row * terms.length + term]! > 0) held.add(terms[term]!);
  return held;
}

/** Its text is read where it is chosen. */
class ToldSentence implements DatedSentence {
  constructor(
    private readonly whole: string,
    private readonly span: Span,
    readonly terms: ReadonlySet<string>,
    readonly dates: readonly Interval[],
  ) {}

  get text(): string {
    return this.whole.slice(this.span.start, this.span.end).replace(/\s+/g, ' ');
  }
}

/** A passage's first sentences. */
interface Told {
  rows: Pick<Candidate, 'segment' | 'row'>[];
  spans: readonly Span[];
  dates: readonly (readonly Interval[])[];
}

/** What of each passage is condensed; nothing of one that has fewer than two sentences. Every segment is read once. */
function toldBy({ snapshot }: Asked, first: readonly Candidate[]): Told[] {
  const told: Told[] = first.map(() => ({ rows: [], spans: [], dates: [] }));
  for (const [number, { segment }] of snapshot.segments.entries()) {
    const own = [...first.keys()].filter((at) => first[at]!.segment === number);
    if (own.length === 0) continue;
    sentenceRowsOfEach(segment, own.map((at) => first[at]!.passage)).forEach(([from, end], i) => {
      const to = Math.min(end, from + mostSentences);
      if (to - from >= 2) for (let row = from; row < to; row += 1) told[own[i]!]!.rows.push({ segment: number, row });
    });
    const rows = own.flatMap((at) => told[at]!.rows.map(({ row }) => row));
    const [spans, dates] = [sentencesOfEach(segment, rows), contentTimesOfEach(segment, rows)];
    let from = 0;
    for (const at of own) {
      const to = from + told[at]!.rows.length;
      Object.assign(told[at]!, { spans: spans.slice(from, to), dates: dates.slice(from, to) });
      from = to;
    }
  }
  return told;
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
