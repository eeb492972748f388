// Conflicts of passages with stored ones, before they are added: retrieval by a passage's own text,
// whatever its time and as of its time, then comparison of statements.
import { checkOptionNames, invalidArgument, mustBeWhole } from '../errors.js';
import { conflictsOf, type ConflictRelation } from '../facts/conflicts.js';
import { candidateStatements } from '../facts/members/candidates.js';
import type { Passage, RunOptions, StoredPassage } from '../records.js';
import type { Candidate } from '../retrieval/candidate.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { searchBatch, type Ranking } from '../retrieval/search.js';
import { abortableItems, checkRunOptions } from '../runtime/cancellation.js';
import { inTurns } from '../runtime/eventLoop.js';
import { observe } from '../runtime/telemetry.js';
import { mostSentences, mostUnits } from '../statements/sources.js';
import {
  isMainTime,
  PassageStatements,
  readStatements,
  type SplitPassage,
} from '../statements/statements.js';
import { preparePassage } from '../store/passages/passages.js';
import { checkCorpus, withSnapshot } from '../store/searchableCorpus.js';
import type { StoredCorpus } from '../store/storedCorpus.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { splitSentences, type Span } from '../text/sentences.js';
import type { Constraint } from '../time/constraint.js';
import { parseQuestion } from '../time/question/question.js';
import { stateDecayForm } from '../time/stateDecay.js';
import { queryContext } from './queryAnalysis.js';
import { questionSpan } from './questionSpan.js';

/** What stored passages state otherwise, or the same, of what a new one states. */
export type Conflict = {
  /** Id of the new passage. */
  id: string;
  /** Its statement: a sentence, or its text where the conflict is of its `series`. */
  statement: string;
  /** The stored statements, restatements first. */
  earlier: {
    id: string;
    /** The stored statement. */
    text: string;
    /**
     * `supersedes`: the new statement is of a later time, and this one was the last before it.
     * `contradicts`: they are of one time, or of an unknown one. `restates`: they say the same.
     */
    relation: ConflictRelation;
    /** The time of the stored statement, in milliseconds since 1970, UTC; `end` is exclusive. */
    start?: number | undefined;
    end?: number | undefined;
  }[];
};

/** Passages that are compared with a new one, by each of two rankings. */
const defaultPassages = 100;
/** UTF-16 units of a passage by which it is searched for. */
const mostSearched = 2_000;

/**
 * The statements of passages that stored ones conflict with, to be asked before `add`: a statement
 * conflicts if its title, names and words are those of a stored one, and its numbers (or, where it
 * has none, one of its names) differ. Each passage costs about as much as a question. What is not
 * sure is left out, and the stored passage of the same id, which `add` replaces. A passage with a
 * `series` or `supersedes` conflicts also with the state before it, whatever the words. Passages of
 * one call are not compared with each other. `passages`: how many stored ones are compared with
 * each, 1 to 10,000, default 100.
 * @throws AsOfError ERR_INVALID_ARGUMENT (with details.index and details.id), ERR_ABORTED,
 * ERR_CLOSED, ERR_STORAGE
 * @example const found = await conflicts(corpus, [{ id: 'fee', text: 'A visa costs 90 euros.' }]);
 */
export async function conflicts(
  corpus: StoredCorpus,
  passages: Iterable<Passage> | AsyncIterable<Passage>,
  options: RunOptions & { passages?: number | undefined } = {},
): Promise<Conflict[]> {
  checkCorpus(corpus);
  if (corpus.passageRules === undefined)
    throw invalidArgument(
      'corpus',
      'a corpus that passages can be added to',
      corpus,
      'Ask each of the joined corpora.',
    );
  checkOptionNames('conflicts', options, ['passages', 'signal', 'onProgress']);
  checkRunOptions(options);
  const { passages: count = defaultPassages, signal, onProgress } = options;
  mustBeWhole({ passages: count }, 1, 10_000);
  const total = Array.isArray(passages) ? passages.length : Infinity;
  const found: Conflict[] = [];
  let done = 0;
  for await (const passage of abortableItems(passages, signal)) {
    const { stored } = preparePassage(passage, done, corpus.passageRules);
    const span = questionSpan<Conflict[]>(corpus, {
      system: 'conflicts',
      text: stored.text,
      k: count,
    });
    const request = { passage, stored, count };
    const ofWords = (admitted: AbortSignal | undefined): Promise<Conflict[]> =>
      withSnapshot(corpus, (snapshot) =>
        conflictsWith(corpus, snapshot, { ...request, signal: admitted }),
      );
    found.push(
      ...(await stateBefore(corpus, stored, signal)),
      ...(await observe(span, () => corpus.questions.run(signal, ofWords))),
    );
    done += 1;
    onProgress?.({ done, total });
  }
  return found;
}

interface Request {
  passage: Passage;
  stored: StoredPassage;
  count: number;
  signal: AbortSignal | undefined;
}

async function conflictsWith(
  corpus: StoredCorpus,
  snapshot: Snapshot,
  { passage, stored, count, signal }: Request,
): Promise<Conflict[]> {
  const query = queryOf(corpus, snapshot, passage, stored);
  const { lexicon } = await candidateStatements(query, [], signal);
  const [read] = readStatements([split(stored)], lexicon, snapshot.timeZone);
  const added = new PassageStatements(read!, () => stored);
  const lists = await searchBatch(query, rankingsOf(added, count), signal);
  const hits = new Map<string, Candidate>();
  for (const hit of lists.flat()) if (hit.id !== stored.id) hits.set(hit.id, hit);
  const { passages, encoder } = await candidateStatements(query, [...hits.values()], signal);
  const found = await inTurns(conflictsOf(added, passages, encoder.rarity), signal);
  return found.map(
    ({ statement, earlier }): Conflict => ({
      id: stored.id,
      statement: textOf(stored, statement.span),
      earlier: earlier.map(({ relation, statement: { span }, passage: { record }, time }) => ({
        id: record.id,
        text: textOf(record, span),
        relation,
        ...(time && Number.isFinite(time.start) ? { start: time.start } : {}),
        ...(time && Number.isFinite(time.end) ? { end: time.end } : {}),
      })),
    }),
  );
}

const textOf = ({ text }: StoredPassage, { start, end }: Span): string => text.slice(start, end);

/** A search by the passage itself: nothing of it is read as a question's time or order. */
function queryOf(
  corpus: StoredCorpus,
  snapshot: Snapshot,
  { vector }: Passage,
  { title = '', text }: StoredPassage,
): QueryContext {
  const searchText = `${title} ${text}`.trim().slice(0, mostSearched);
  const parsed = parseQuestion({ text: '', timeZone: snapshot.timeZone });
  const request = { question: { text: searchText, vector }, k: 1, corpus, snapshot };
  return queryContext(request, { parsed: { ...parsed, text: searchText }, searchText });
}

/** Whatever the time, and as of the time of the passage: of long series the last state before. */
function rankingsOf(
  { statements, valid, published }: PassageStatements,
  n: number,
): (Ranking & { n: number })[] {
  const relevance = { semantic: 0.4, lexical: 0.6 };
  const ranking = { scope: 'passages', relevance, pool: true, n } as const;
  const { start = Infinity } =
    valid ?? statements.flatMap(({ times }) => times).find(isMainTime) ?? published ?? {};
  if (!Number.isFinite(start)) return [ranking];
  const asOf: Constraint = {
    condition: 'none',
    relation: 'as of',
    interval: { start, end: start + 1, granularity: 'millisecond' },
    window: { start: -Infinity, end: start + 1 },
    clock: 'content',
    binds: true,
  };
  return [ranking, { ...ranking, form: () => stateDecayForm(asOf, start) }];
}

/** The passage in sentences, as far as candidates are read whole. */
function split(record: StoredPassage): SplitPassage {
  const sentences = splitSentences(record.text.slice(0, mostUnits)).slice(0, mostSentences);
  return { record, sentences, rows: sentences.map(() => 0), row: 0 };
}

/** The state that a passage of a series follows. */
async function stateBefore(
  corpus: StoredCorpus,
  { id, text, series, supersedes, validFrom, publishedAt }: StoredPassage,
  signal: AbortSignal | undefined,
): Promise<Conflict[]> {
  const start = validFrom ?? publishedAt;
  let before: StoredPassage | undefined;
  if (supersedes !== undefined) before = await corpus.get(supersedes);
  else if (series !== undefined && start !== undefined) {
    const where = { series, validFrom: { lt: start } };
    const orderBy = { field: 'validFrom', direction: 'desc' } as const;
    const { passages } = await corpus.list({ where, orderBy, limit: 2, signal });
    before = passages.find((each) => each.id !== id);
  }
  if (!before) return [];
  const { validFrom: from, validTo: to } = before;
  const earlier = {
    id: before.id,
    text: before.text,
    relation: 'supersedes',
    ...(from === undefined ? {} : { start: from }),
    ...(to === undefined ? {} : { end: to }),
  } as const;
  return [{ id, statement: text, earlier: [earlier] }];
}
