// Query-focused summarisation (MRAG section 4, appendix H): one text with dates from the relevant
// sentences of a passage, by extraction or by a model. Readers get the passage, not the summary.
import type { Candidate, Candidates, Summary } from '../../../retrieval/candidate.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { countTerms } from '../../../retrieval/termCounts.js';
import { passageRecord, passageTexts, type PassageTexts } from '../../../retrieval/passageTexts.js';
import { throwIfAborted } from '../../../errors.js';
import { stage, type Stage } from '../../../pipeline.js';
import {
  contentColumnsOf,
  intervalsOf,
  sentenceRowsOfEach,
  sentencesOfEach,
} from '../../../store/views/rowTimes.js';
import { sentenceText, unionIntervals } from '../../../store/writing/rows.js';
import type { SnapshotSegment } from '../../../store/views/snapshotSegment.js';
import { askJson, type JsonPrompt } from '../../../text/jsonPrompt.js';
import type { Span } from '../../../text/sentences.js';
import { checkTextModel, type TextModel } from '../../../text/textModel.js';
import { contentIntervals } from '../../../time/contentClock.js';
import { tagTimes } from '../../../time/tagger.js';
import { yieldToEventLoop } from '../../../runtime/eventLoop.js';
import { condense } from './condense.js';
import type { ParsedQuestion } from '../../../time/constraint.js';

interface SummaryAnswer {
  /** Whether the passage answers the question. */
  answers: boolean;
  /** One sentence; empty if `answers` is false. */
  sentence: string;
}

const system = `You are given a passage and a question that names no time. Say what the passage \
answers, in one sentence that can be read alone.
Name whom and what it is about with the passage's own names, and give every date that the passage \
has for it, exactly as written there.
Add nothing that the passage does not say. If it does not answer, set "answers" to false and \
leave the sentence empty.
Reply with one JSON object: {"answers": true, "sentence": "..."}.

Passage: Varn Ferries | The line carried mail from the start. Its first steamer, the Aud, was \
launched on 3 May 1911. She sank in 1934.
Question: When did Varn Ferries have a steamer?
JSON: {"answers": true, "sentence": "Varn Ferries had the steamer Aud, launched on 3 May 1911, \
until she sank in 1934."}

Passage: Varn Ferries | The line's offices were painted by Ida Holm.
Question: When did Varn Ferries have a steamer?
JSON: {"answers": false, "sentence": ""}`;

/** Longest excerpt of a passage, in characters. */
const longestPassage = 6000;

/** `question` is the question without its time. */
function summaryPrompt(
  question: string,
  { title, text }: { title?: string; text: string },
): JsonPrompt {
  const passage = text.length > longestPassage ? `${text.slice(0, longestPassage)} ...` : text;
  return {
    system,
    prompt: `Passage: ${title === undefined ? '' : `${title} | `}${passage.trim()}\nQuestion: ${question}\nJSON:`,
    schema: {
      type: 'object',
      properties: { answers: { type: 'boolean' }, sentence: { type: 'string' } },
      required: ['answers', 'sentence'],
    },
    maxTokens: 160,
  };
}

/** The first sentences of a passage, which are condensed; distant ones make no summary. */
const maxSentences = 12;

/** Adds summaries to the first n passages. They compete with sentences and replace none. */
export function summarise(n: number, model?: TextModel): Stage<Candidates, Candidates> {
  if (model) checkTextModel(model);
  return stage(
    `summarise(${n})`,
    async ({ query, hits, ...rest }, { note, signal }) => {
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
    },
    'MRAG 4, query-focused summarisation',
  );
}

/** A candidate's id is computed when it is read: it must not be by copying. */
function withSummary(candidate: Candidate, summary: Summary): Candidate {
  candidate.summary = summary;
  return candidate;
}

/** The query's terms and those of the word next to its constraint, with their indices. */
function summaryTerms(query: QueryContext): {
  terms: string[];
  adjacent: number[];
} {
  const { analyzer, parsed } = query;
  const adjacentTerms =
    adjacentWords(parsed)
      .map((word) => analyzer.analyze(word))
      .find((terms) => terms.length > 0) ?? [];
  const terms = [...new Set([...query.terms(), ...adjacentTerms])];
  const adjacent = [...new Set(adjacentTerms)].map((term) => terms.indexOf(term));
  return { terms, adjacent };
}

async function byExtraction(
  query: QueryContext,
  first: readonly Candidate[],
  signal?: AbortSignal,
): Promise<(Summary | undefined)[]> {
  const { analyzer, snapshot } = query;
  const { terms, adjacent } = summaryTerms(query);
  const summaries = new Array<Summary | undefined>(first.length).fill(undefined);
  for (const [number, stored] of snapshot.segments.entries()) {
    const own = first.flatMap((each, at) => (each.segment === number ? [at] : []));
    if (own.length === 0) continue;
    const { rows, starts } = firstSentences(
      stored,
      own.map((at) => first[at]!.passage),
    );
    const { counts } = await countTerms(
      snapshot,
      rows.map((row) => ({ segment: number, row })),
      terms,
      signal,
    );
    const times = contentColumnsOf(stored, rows);
    const condensed = own.map((at, i) => {
      const from = starts[i]!;
      const dated = (sentence: number): boolean =>
        times.offsets[from + sentence + 1]! > times.offsets[from + sentence]!;
      const sentences = {
        length: starts[i + 1]! - from,
        terms: terms.length,
        counts,
        from: from * terms.length,
        dated,
      };
      const { title = '' } = passageRecord(snapshot, first[at]!);
      return condense(sentences, adjacent, (term) =>
        analyzer.analyze(title).includes(terms[term]!),
      );
    });
    const spans = sentencesOfEach(
      stored,
      condensed.flatMap(
        (each, i) => each?.chosen.map((sentence) => rows[starts[i]! + sentence]!) ?? [],
      ),
    );
    let read = 0;
    for (const [i, each] of condensed.entries()) {
      if (!each) continue;
      const turn = yieldToEventLoop();
      if (turn) await turn;
      throwIfAborted(signal);
      const { title, text } = passageRecord(snapshot, first[own[i]!]!);
      const content = each.chosen.map(() => oneLine(text, spans[read++]!)).join(' ');
      const dates = unionIntervals(
        each.dating.map((sentence) => intervalsOf(times, starts[i]! + sentence)),
      );
      summaries[own[i]!] = { text: sentenceText(title, content), dates };
    }
  }
  return summaries;
}

/** The first sentences of passages: those of i are [starts[i], starts[i + 1]), none of one. */
function firstSentences(
  stored: SnapshotSegment,
  passages: readonly number[],
): { rows: number[]; starts: number[] } {
  const [rows, starts]: [number[], number[]] = [[], [0]];
  for (const [from, end] of sentenceRowsOfEach(stored, passages)) {
    const to = Math.min(end, from + maxSentences);
    if (to - from >= 2) for (let row = from; row < to; row += 1) rows.push(row);
    starts.push(rows.length);
  }
  return { rows, starts };
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
        summaryPrompt(query.searchText, texts.passage(candidate)),
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
