// Query-focused summarisation (MRAG section 4, appendix H): one text with dates from the relevant
// sentences of a passage, by extraction or by a model. Readers get the passage, not the summary.
import type { Candidate, Candidates, Summary } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { passageRecord, passageTexts, type PassageTexts } from '../../../retrieval/passageTexts.js';
import { throwIfAborted } from '../../../errors.js';
import { stage, type Stage } from '../../../pipeline.js';
import {
  contentTimesOfEach,
  sentenceRowsOf,
  sentencesOfEach,
} from '../../../store/views/rowTimes.js';
import { sentenceText, unionIntervals } from '../../../store/writing/rows.js';
import { filledPrompt } from '../../../text/promptTemplates.js';
import { askJson, type JsonPrompt } from '../../../text/jsonPrompt.js';
import type { Span } from '../../../text/sentences.js';
import { checkTextModel, type TextModel } from '../../../text/textModel.js';
import { contentIntervals } from '../../../time/contentClock.js';
import { tagTimes } from '../../../time/tagger.js';
import { yieldToEventLoop } from '../../../runtime/eventLoop.js';
import type { ParsedQuestion } from '../../../time/constraint.js';
import type { Interval } from '../../../time/interval.js';

interface SummaryAnswer {
  /** Whether the passage answers the question. */
  answers: boolean;
  /** One sentence; empty if `answers` is false. */
  sentence: string;
}

/** Longest excerpt of a passage, in characters. */
const longestPassage = 6000;

/** `question` is the question without its time. */
function summaryPrompt(
  { templates }: TextModel,
  question: string,
  { title, text }: { title?: string; text: string },
): JsonPrompt {
  const shown = text.length > longestPassage ? `${text.slice(0, longestPassage)} ...` : text;
  const passage = `${title === undefined ? '' : `${title} | `}${shown.trim()}`;
  const slots = { question, passage, title: title ?? '', text: shown.trim() };
  return {
    ...filledPrompt('summary', templates, slots),
    schema: {
      type: 'object',
      properties: { answers: { type: 'boolean' }, sentence: { type: 'string' } },
      required: ['answers', 'sentence'],
    },
    maxTokens: 160,
  };
}

/** The first sentences of a passage, of which some are taken; distant ones make no summary. */
const [maxRead, maxTaken] = [12, 3] as const;

/** Adds summaries to the first n passages. They compete with sentences and replace none. */
export function summarise(n: number, model?: TextModel): Stage<Candidates, Candidates> {
  if (model) checkTextModel(model);
  return stage(`summarise(${n})`, async ({ query, hits, ...rest }, { note, signal }) => {
    note('by', model ? model.id : 'extraction');
    const first = hits.slice(0, n);
    const texts = passageTexts(query);
    const { summaries, unusable } = model
      ? await byModel(model, query, first, texts, signal)
      : { summaries: await byExtraction(query, first, signal), unusable: 0 };
    if (unusable > 0) note('unusable', unusable);
    note('summaries', summaries.filter((each) => each !== undefined).length);
    const condensed = first.map((each, at) =>
      summaries[at] ? withSummary(each, summaries[at]) : each,
    );
    return { ...rest, query, hits: [...condensed, ...hits.slice(n)] };
  });
}

/** Mutates the candidate: a copy would have to read the id, which is lazy. */
function withSummary(candidate: Candidate, summary: Summary): Candidate {
  candidate.summary = summary;
  return candidate;
}

/** The query's terms with those `beside` its constraint: of the word next to it. */
function summaryTerms(query: QueryContext): { wanted: string[]; beside: string[] } {
  const { analyzer, parsed } = query;
  const analyzed = adjacentWords(parsed).map((word) => analyzer.analyze(word));
  const beside = analyzed.find((terms) => terms.length > 0) ?? [];
  return { wanted: [...query.terms(), ...beside], beside };
}

async function byExtraction(
  query: QueryContext,
  first: readonly Candidate[],
  signal?: AbortSignal,
): Promise<(Summary | undefined)[]> {
  const { analyzer, snapshot } = query;
  const { wanted, beside } = summaryTerms(query);
  const summaries: (Summary | undefined)[] = [];
  for (const each of first) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const stored = snapshot.segments[each.segment]!;
    const [from, end] = sentenceRowsOf(stored, each.passage);
    const rows = Array.from({ length: Math.min(end - from, maxRead) }, (_, at) => from + at);
    const { title, text } = passageRecord(snapshot, each);
    const times = contentTimesOfEach(stored, rows);
    const sentences = sentencesOfEach(stored, rows).map((span, at) => ({
      span,
      dates: times[at]!,
      terms: new Set(analyzer.analyze(text.slice(span.start, span.end))),
    }));
    const said = new Set(title ? analyzer.analyze(title) : []);
    const open = (terms: readonly string[]): Set<string> =>
      new Set(terms.filter((term) => !said.has(term)));
    const condensed = condense(sentences, open(wanted), open(beside));
    summaries.push(
      condensed && {
        text: sentenceText(
          title,
          condensed.chosen.map(({ span }) => oneLine(text, span)).join(' '),
        ),
        dates: unionIntervals(condensed.dating.map(({ dates }) => dates)),
      },
    );
  }
  return summaries;
}

/**
 * The fewest sentences that cover the terms `wanted`, and those whose dates are the summary's: with
 * one of the terms `beside` the question's constraint. Undefined if fewer than two say anything.
 */
export function condense<Sentence extends Pick<CondensedSentence, 'terms' | 'dates'>>(
  sentences: readonly Sentence[],
  wanted: ReadonlySet<string>,
  beside: ReadonlySet<string>,
): { chosen: Sentence[]; dating: Sentence[] } | undefined {
  if (sentences.length < 2) return undefined;
  const isDated = (at: number): boolean => sentences[at]!.dates.length > 0;
  const shared = (terms: ReadonlySet<string>, at: number): number =>
    [...terms].filter((term) => sentences[at]!.terms.has(term)).length;
  const left = new Set(wanted);
  const taken: number[] = [];
  while (taken.length < maxTaken) {
    const gains = sentences.map((_, at) => (taken.includes(at) ? 0 : shared(left, at)));
    const most = Math.max(...gains);
    if (most === 0) break;
    const dated = gains.findIndex((gain, at) => gain === most && isDated(at));
    const next = dated >= 0 ? dated : gains.indexOf(most);
    taken.push(next);
    for (const term of sentences[next]!.terms) left.delete(term);
  }
  if (taken.length > 0 && !taken.some(isDated)) {
    const away = (at: number): number => Math.abs(at - taken[0]!);
    const [nearest] = [...sentences.keys()].filter(isDated).sort((a, b) => away(a) - away(b));
    if (nearest !== undefined) taken.push(nearest);
  }
  if (taken.length < 2) return undefined;
  taken.sort((a, b) => a - b);
  const dating = taken.filter((at) => isDated(at) && shared(beside, at) > 0);
  const sentencesAt = (places: number[]): Sentence[] => places.map((at) => sentences[at]!);
  return { chosen: sentencesAt(taken), dating: sentencesAt(dating.length > 0 ? dating : taken) };
}

interface CondensedSentence {
  terms: ReadonlySet<string>;
  dates: readonly Interval[];
}

/** A span of a text with white space collapsed. */
function oneLine(text: string, { start, end }: Span): string {
  const part = text.slice(start, end);
  return /[^\S ]|  /.test(part) ? part.replace(/\s+/g, ' ') : part;
}

/** Concurrent summaries; an unusable answer gives none, an error aborts the others. */
async function byModel(
  model: TextModel,
  query: QueryContext,
  first: readonly Candidate[],
  texts: PassageTexts,
  outer?: AbortSignal,
): Promise<{ summaries: (Summary | undefined)[]; unusable: number }> {
  const others = new AbortController();
  const signal = outer ? AbortSignal.any([outer, others.signal]) : others.signal;
  const answers = await Promise.all(
    first.map((candidate) =>
      askJson<SummaryAnswer>(
        model,
        summaryPrompt(model, query.searchText, texts.passage(candidate)),
        signal,
      ),
    ),
  ).catch((error: unknown) => {
    others.abort();
    throwIfAborted(outer);
    throw error;
  });
  const sentences = answers.map((each) =>
    'value' in each && each.value.answers ? each.value.sentence.replace(/\s+/g, ' ').trim() : '',
  );
  const tagged = await tagTimes(sentences, {
    references: first.map((each) => texts.passage(each).publishedAt),
    timeZone: query.snapshot.timeZone,
    signal: outer,
  });
  const summaries = sentences.map((text, at) =>
    text === ''
      ? undefined
      : {
          text: sentenceText(texts.passage(first[at]!).title, text),
          dates: contentIntervals(tagged[at]!.mentions, text),
        },
  );
  return { summaries, unusable: answers.filter((each) => 'unusable' in each).length };
}

/** Words before the constraint, nearest first, to the nearest comma or question word. */
function adjacentWords({
  text,
  constraint,
}: Pick<ParsedQuestion, 'text' | 'constraint'>): string[] {
  const start = constraint.text === undefined ? -1 : text.indexOf(constraint.text);
  if (start < 0) return [];
  const words = (part: string): string[] => part.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  const before = words(text.slice(0, start).replace(/^.*[,;:.](?=\s)/su, '')).reverse();
  return before.length > 0 ? before : words(text.slice(start + constraint.text!.length));
}
