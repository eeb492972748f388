// Timeline of what a question or an entity is about, over one corpus: retrieval without time, then
// the members of the series.
import { checkOptionNames, invalidArgument, mustBeWhole, throwIfAborted } from '../errors.js';
import { candidateMembers } from '../facts/members/candidates.js';
import { cascade } from '../facts/ranking/cascade.js';
import { embeddedRanker, readRanker } from '../facts/ranking/model.js';
import { timelineOf, type TimelineEntry } from '../facts/ranking/timeline.js';
import { pipeline, stage } from '../pipeline.js';
import type { Question } from '../records.js';
import type { Candidates } from '../retrieval/candidate.js';
import { observe } from '../runtime/telemetry.js';
import {
  checkCorpus,
  missingOf,
  withSnapshot,
  type SearchableCorpus,
} from '../store/searchableCorpus.js';
import { viewOf } from '../store/views/view.js';
import { blanked, readQuestion } from '../time/question/reading.js';
import { questionClock } from '../time/question/questionClock.js';
import { timeInWords } from '../time/question/timeInWords.js';
import { checkQuestionText } from '../time/question/questionText.js';
import { askFilter } from './askFilter.js';
import type { AskOptions } from './askOptions.js';
import { hybridRetrieval } from './hybridRetrieval.js';
import { questionSpan } from './questionSpan.js';
import type { QueryRequest } from './system.js';

export type { TimelineEntry };

/** Passages that may hold members where no number is asked for. */
const defaultPassages = 400;

/**
 * The series that a question asks about, or the statements about an entity, in the order of time:
 * every member with its validity, its evidence and what it supersedes. Dates of the question do not
 * count; nothing published after `askedAt` does. `passages`: how many are read, 1 to 10,000,
 * default 400. `asOf`: only members that had begun by this time, in ISO 8601 or words. `where`,
 * `since`, `until` and `asRecorded` as in `AskOptions`. `ranker`: a weight file, default that of
 * `hybrid`. The list has `missingShards` as results of systems do.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_ABORTED.
 * @example for (const { start, values } of await timeline(corpus, { text: 'prime minister of the
 * UK' })) console.log(new Date(start), values.join(', '));
 */
export async function timeline(
  corpus: SearchableCorpus,
  question: Question,
  options: Pick<AskOptions, 'where' | 'asOf' | 'since' | 'until' | 'asRecorded' | 'signal'> & {
    passages?: number | undefined;
    ranker?: string | undefined;
  } = {},
): Promise<TimelineEntry[] & { missingShards?: string[] | undefined }> {
  checkCorpus(corpus);
  checkQuestionText(question?.text);
  if (question.text.trim() === '')
    throw invalidArgument('question.text', 'a question or a name in words', question?.text);
  const names = ['passages', 'asOf', 'where', 'since', 'until', 'asRecorded', 'ranker', 'signal'];
  checkOptionNames('timeline', options, names);
  const { passages = defaultPassages, asOf, ranker, signal } = options;
  mustBeWhole({ passages }, 1, 10_000);
  throwIfAborted(signal);
  const { weights } = ranker === undefined ? embeddedRanker() : readRanker(ranker);
  const dated = { ...question, timeZone: question.timeZone ?? corpus.timeZone };
  const { dates, removed } = readQuestion(dated);
  const { askedAt: now, timeZone } = questionClock(dated);
  const last =
    asOf === undefined ? Infinity : timeInWords(asOf, 'end', { name: 'asOf', now, timeZone });
  const text = blanked(question.text, [...removed, ...dates.filter(({ binds }) => binds)]);
  const stages = hybridRetrieval({ stateDecay: false, exactTime: false }, passages);
  const composition = pipeline<QueryRequest>('timeline')
    .then(stages.analyze)
    .then(stages.retrieve)
    .thenIf(stages.expand, (expand) => expand)
    .then(
      stage('timeline', async ({ query, hits }: Candidates, context) => {
        if (hits.length === 0) return [];
        const { table } = await candidateMembers(query, hits.slice(0, passages), {
          everyTime: true,
          signal: context.signal,
        });
        const members = timelineOf(table, cascade(table, weights));
        return members.filter(({ start = -Infinity }) => start <= last);
      }),
    );
  const answer = (admitted: AbortSignal | undefined): Promise<TimelineEntry[]> =>
    withSnapshot(corpus, async (snapshot) => {
      const view = { ...options, where: askFilter(dated, options) };
      const passing = await viewOf(snapshot, view, { signal: admitted });
      const request = { question: { ...dated, text }, k: 1, corpus, snapshot: passing };
      const { output } = await composition.done().run(request, { signal: admitted });
      const { missingShards } = missingOf(snapshot);
      return missingShards
        ? Object.defineProperty(output, 'missingShards', { value: missingShards })
        : output;
    });
  const span = questionSpan<TimelineEntry[]>(corpus, {
    system: 'timeline',
    text: question.text,
    k: passages,
  });
  return observe(span, () => corpus.questions.run(signal, answer));
}
