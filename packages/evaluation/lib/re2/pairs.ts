// Questions with two dates: two facts of one series, as known at one time (Re3 appendix A).
import { seededRandom } from 'asof/kit';
import { bothDates, dayAfter, type RecordDate } from './dates.js';
import type { FactTable } from './factTable.js';
import { clusterKey, type PassageWriter } from './passages.js';
import {
  askingTimeAfter,
  queryTimeOf,
  writeQuestion,
  type QuestionWithNegatives,
} from './question.js';
import type { Splits } from './splits.js';
import { versionStates } from './versionStates.js';
import { dayMilliseconds } from '../calendar.js';

/** Clusters before and after one in its series that can be paired with it. */
const pairReach = 3;

export class PairGenerator {
  constructor(
    private readonly facts: FactTable,
    private readonly splits: Splits,
    private readonly passages: PassageWriter,
    /** Share of the questions with a date that name two. */
    private readonly share: number,
  ) {}

  /**
   * Two neighbouring facts of a series as known at one time. Undefined outside of the sampled
   * share, or without a known neighbour of the same split and tense. Uses a seed of its own, so
   * that other questions do not depend on the share.
   */
  pair(cluster: number): QuestionWithNegatives | undefined {
    const { facts, passages, splits } = this;
    const random = seededRandom(passages.seed, `pair ${clusterKey(passages, cluster)}`);
    if (random.next() >= this.share) return undefined;
    const { from, to } = facts.versions(cluster);
    const fact = from + random.below(to - from);
    const asked = askingTimeAfter(facts, fact, { to }, random);
    const today = Math.floor(asked.instant / dayMilliseconds);
    const entity = facts.entityOf(fact);
    const cell = (day: number): string =>
      `${splits.of(entity, day)} ${splits.unseen(entity, day)} ${day >= today}`;
    const { day, granularity } = facts.dateOf(fact);
    const run = facts.clustersOf(facts.seriesOf(cluster));
    const near = Array.from(
      { length: 2 * pairReach + 1 },
      (_, at) => cluster + at - pairReach,
    ).filter((other) => {
      if (other === cluster || other < run.from || other >= run.to) return false;
      const date = facts.dateOf(facts.versions(other).from);
      return date.granularity === granularity && cell(date.day) === cell(day);
    });
    const judged = versionStates(facts, cluster, asked.instant);
    const other = random.shuffled(near).find((each) => versionStates(facts, each, asked.instant));
    if (!judged || other === undefined) return undefined;
    const both = [
      { at: cluster, judged },
      { at: other, judged: versionStates(facts, other, asked.instant)! },
    ].sort((a, b) => a.at - b.at);
    const dates = both.map((each) => facts.dateOf(each.judged.current[0]!)) as [
      RecordDate,
      RecordDate,
    ];
    const parts = {
      kind: 'pair',
      source: cluster,
      judged: both.map((each) => each.judged),
      asked,
      written: bothDates(dates, today, random),
      queryTime: queryTimeOf({ from: dates[0].day, to: dayAfter(dates[0]) }),
    } as const;
    return { question: writeQuestion(passages, splits, parts, random), madeUp: [] };
  }
}
