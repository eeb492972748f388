// A benchmark's question: its record, its query time and its asking time.
import { type Random, intervalIso } from 'asof/kit';
import { formatDay, formatInstant } from 'asof/time';
import type { WrittenDate, WrittenPair } from './dates.js';
import type { FactTable } from './factTable.js';
import type { NegativeKind } from './negativeKinds.js';
import {
  answersFor,
  clusterKey,
  opaqueId,
  type PassageFact,
  type PassageWriter,
} from './passages.js';
import type { Re2Split, Splits, Unseen } from './splits.js';
import type { VersionStates } from './versionStates.js';
import { civilFromDays, dayMilliseconds } from '../calendar.js';

/**
 * A question of a benchmark, with its current, outdated and future passages.
 */
export interface Re2Question {
  id: string;
  text: string;
  asked_at: string;
  /** Alternative answers; empty for a pair, which requires two. */
  answers: string[];
  kind: 'explicit' | 'latest' | 'pair';
  split: Re2Split;
  unseen?: Unseen;
  /**
   * The time named by the question, the first one of a pair: `{ start_iso, end_iso, granularity }`;
   * null for the latest.
   */
  query_time: { start_iso: string; end_iso: string; granularity: string } | null;
  /**
   * The forms of entity and date in the text, which a model's wording must keep.
   */
  asks: { entity: string; name: string; when?: string; values: readonly string[] };
  positive: string;
  /** Empty for a pair: a triplet has one positive. */
  negatives: { id: string; kind: NegativeKind }[];
  /** The passages of each required fact: one list, or two for a pair. */
  facts: string[][];
  current: string[];
  outdated: string[];
  future: string[];
}

/** A question with its synthetic negatives. */
export interface QuestionWithNegatives {
  question: Re2Question;
  madeUp: PassageFact[];
}

export interface QuestionParts {
  kind: Re2Question['kind'];
  /** The sampled cluster; the target of a question for the latest may be another. */
  source: number;
  /** The versions of each required fact. */
  judged: readonly VersionStates[];
  asked: AskingTime;
  /** Its date or dates in words; absent for the latest. */
  written?: Pick<WrittenDate, 'on' | 'when'> | WrittenPair;
  queryTime: Re2Question['query_time'];
}

/** A question in words, without negatives. */
export function writeQuestion(
  passages: PassageWriter,
  splits: Splits,
  { kind, source, judged, asked, written, queryTime }: QuestionParts,
  random: Random,
): Re2Question {
  const { facts } = passages;
  const positives = judged.map(({ current }) => current[0]!);
  const [positive] = positives as [number];
  const [entity, { day }] = [facts.entityOf(positive), facts.dateOf(positive)];
  const split = splits.of(entity, day);
  const unseen = split === 'test' ? splits.unseen(entity, day) : undefined;
  const statement = passages.statement(
    { entity, kind: facts.kindOf(positive), values: facts.valuesOf(positive) },
    random,
  );
  const { index, slots } = passages.wording.target(statement, random);
  const tense = day >= Math.floor(asked.instant / dayMilliseconds) ? 'future' : 'past';
  const text = passages.wording.questions.expand(
    kind === 'explicit' ? 'question' : kind,
    { entity: statement.entity, ...slots, ...written, [tense]: '' },
    random,
  );
  const ids = (of: keyof VersionStates): string[] =>
    judged.flatMap((each) => each[of].map((fact) => passages.idOfFact(fact)));
  return {
    id: opaqueId(`question ${kind} ${clusterKey(passages, source)}`, passages.seed),
    text,
    asked_at: asked.text,
    answers: kind === 'pair' ? [] : answersFor(facts.valuesOf(positive)[index]!),
    kind,
    split,
    ...(unseen ? { unseen } : {}),
    query_time: queryTime,
    asks: {
      entity: statement.entity,
      name: statement.values[index]!.name,
      values: positives.flatMap((fact) => facts.valuesOf(fact)),
      ...(written ? { when: written.when } : {}),
    },
    positive: passages.idOfFact(positive),
    negatives: [],
    facts: judged.map(({ current }) => current.map((fact) => passages.idOfFact(fact))),
    current: ids('current'),
    outdated: ids('outdated'),
    future: ids('future'),
  };
}

/** The days of a written date as an interval record. */
export function queryTimeOf({
  from,
  to,
}: Pick<WrittenDate, 'from' | 'to'>): NonNullable<Re2Question['query_time']> {
  const days = to - from;
  const { month } = civilFromDays(from);
  const granularity =
    days === 1
      ? 'day'
      : days < 28
        ? 'part-of-month'
        : days <= 31 && month === civilFromDays(to - 1).month
          ? 'month'
          : 'year';
  const edges = intervalIso({
    start: from * dayMilliseconds,
    end: to * dayMilliseconds,
    granularity,
  });
  return { start_iso: String(edges.start_iso), end_iso: String(edges.end_iso), granularity };
}

/** The time at which a question is asked. */
export interface AskingTime {
  instant: number;
  /** As written in `asked_at`. */
  text: string;
}

/** The latest asking time after the last version of a fact, in days. */
const maxDaysAfterLastVersion = 14;

/**
 * A random time after the publication of a version and before the next version of its cluster,
 * which ends at `to`, and before `before`.
 */
export function askingTimeAfter(
  facts: FactTable,
  fact: number,
  { to, before = Infinity }: { to: number; before?: number },
  random: Random,
): AskingTime {
  const published = facts.publishedOf(fact);
  let next = before;
  for (let later = fact + 1; later < to; later += 1) {
    if (facts.publishedOf(later) <= published) continue;
    next = Math.min(next, facts.publishedOf(later));
    break;
  }
  const gap = Math.min(next - published, maxDaysAfterLastVersion * dayMilliseconds);
  if (facts.isPublishedDay(fact)) {
    const day =
      Math.floor(published / dayMilliseconds) +
      Math.floor(random.next() * Math.max(1, Math.floor(gap / dayMilliseconds)));
    return { instant: (day + 1) * dayMilliseconds - 1, text: formatDay(day * dayMilliseconds) };
  }
  const minutes = Math.floor((gap * (0.05 + 0.85 * random.next())) / 60_000);
  const instant = published + minutes * 60_000;
  return { instant, text: formatInstant(instant) };
}
