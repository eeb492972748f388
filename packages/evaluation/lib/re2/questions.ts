// Generator of a benchmark's questions (Re3 algorithm 1): current, superseded and future passages
// of a fact at an asking time, and negatives; by series, deterministic by seed.
import { seededRandom, type Random } from 'asof/kit';
import { coarseDates, fullDate, relativeDate, type RecordDate, type WrittenDate } from './dates.js';
import type { FactTable } from './factTable.js';
import { NegativeSampler } from './negatives.js';
import { PairGenerator } from './pairs.js';
import { clusterKey, type PassageWriter } from './passages.js';
import {
  askingTimeAfter,
  queryTimeOf,
  writeQuestion,
  type QuestionParts,
  type QuestionWithNegatives,
} from './question.js';
import type { Re2Split, Splits } from './splits.js';
import { LatestFacts, versionStates, type VersionStates } from './versionStates.js';
import { dayMilliseconds } from '../calendar.js';

export interface QuestionOptions {
  /** Maximum number of questions, sampled by seed. Default: one per fact. */
  questions?: number;
  /** Share of questions for the latest fact, without a date, 0 to 1. Default 0.15. */
  latest?: number;
  /**
   * Share of the dated questions with two dates, 0 to 1: they require two facts that differ in the
   * date and do not conflict. Default 0.
   */
  pairs?: number;
}

/** Future facts recorded per question for the latest. */
const maxFutureFacts = 8;
const defaultLatest = 0.15;

export class QuestionGenerator {
  readonly #negatives: NegativeSampler;
  readonly #pairs: PairGenerator;

  constructor(
    private readonly facts: FactTable,
    private readonly splits: Splits,
    private readonly passages: PassageWriter,
    private readonly options: QuestionOptions = {},
  ) {
    this.#negatives = new NegativeSampler(facts, splits, passages, (series) =>
      this.#hasLatestQuestions(series),
    );
    this.#pairs = new PairGenerator(facts, splits, passages, options.pairs ?? 0);
  }

  /** One question per cluster, in the order of entity, kind and date. */
  *all(): Generator<QuestionWithNegatives> {
    const { facts } = this;
    const sample = this.#sample();
    for (let series = 0; series < facts.seriesCount; series += 1) {
      const { from, to } = facts.clustersOf(series);
      let latest: LatestFacts | undefined;
      for (let cluster = from; cluster < to; cluster += 1) {
        if (sample && !sample[cluster]) continue;
        const random = seededRandom(
          this.passages.seed,
          `question ${clusterKey(this.passages, cluster)}`,
        );
        const forLatest = this.#hasLatestQuestions(series) && random.next() < this.#latestShare();
        const question = forLatest
          ? this.#latest((latest ??= new LatestFacts(facts, series)), cluster, random)
          : (this.#pairs.pair(cluster) ?? this.#explicit(cluster, random));
        if (question) yield question;
      }
    }
  }

  /**
   * With the latest by publication, only half of the series have questions for the latest, at twice
   * the rate, so that the others can have synthetic negatives.
   */
  #hasLatestQuestions(series: number): boolean {
    const share = this.options.latest ?? defaultLatest;
    if (share === 0 || !this.#latestInHalf) return share > 0;
    return seededRandom(this.passages.seed, `latest ${series}`).next() < 0.5;
  }

  get #latestInHalf(): boolean {
    return (
      this.passages.schema.latest === 'published' && (this.options.latest ?? defaultLatest) <= 0.5
    );
  }

  #latestShare(): number {
    return (this.options.latest ?? defaultLatest) * (this.#latestInHalf ? 2 : 1);
  }

  #sample(): Uint8Array | undefined {
    const { questions } = this.options;
    const { clusters } = this.facts;
    if (questions === undefined || questions >= clusters) return undefined;
    const random = seededRandom(this.passages.seed, 'chosen');
    const chosen = new Uint8Array(clusters);
    // Selection sampling (Knuth's algorithm S).
    let wanted = questions;
    for (let cluster = 0; cluster < clusters && wanted > 0; cluster += 1) {
      if (random.next() * (clusters - cluster) >= wanted) continue;
      chosen[cluster] = 1;
      wanted -= 1;
    }
    return chosen;
  }

  #explicit(cluster: number, random: Random): QuestionWithNegatives | undefined {
    const { from, to } = this.facts.versions(cluster);
    const fact = from + random.below(to - from);
    const asked = askingTimeAfter(this.facts, fact, { to }, random);
    const judged = versionStates(this.facts, cluster, asked.instant);
    if (!judged) return undefined;
    const date = this.facts.dateOf(fact);
    const written = this.#writeDate(
      cluster,
      date,
      Math.floor(asked.instant / dayMilliseconds),
      random,
    );
    const parts = { kind: 'explicit', source: cluster, asked } as const;
    return this.#question(parts, { cluster, judged, written }, random);
  }

  /** Asked soon after a version of the cluster; the latest fact may be another cluster's. */
  #latest(latest: LatestFacts, cluster: number, random: Random): QuestionWithNegatives | undefined {
    const { from, to } = this.facts.versions(cluster);
    const fact = from + random.below(to - from);
    const seen = latest.seen(this.facts.publishedOf(fact));
    const asked = askingTimeAfter(
      this.facts,
      fact,
      { to, before: seen < latest.size ? this.facts.publishedOf(latest.fact(seen)) : Infinity },
      random,
    );
    const byPublication = this.passages.schema.latest === 'published';
    const judged: VersionStates = { current: [], outdated: [], future: [] };
    const future = new Set<number>();
    const cells = new Set<Re2Split>();
    const clusters = latest.clusters(asked.instant, this.passages.schema.latest);
    for (const each of clusters) {
      const found = versionStates(this.facts, each, asked.instant);
      if (!found) return undefined;
      // An older forecast with equal values is a current answer, but not the latest one.
      judged.current.push(...(byPublication ? found.current.slice(0, 1) : found.current));
      judged.outdated.push(...found.outdated);
      for (const later of found.future) future.add(later);
      cells.add(
        this.splits.of(
          this.facts.entityOf(found.current[0]!),
          this.facts.dateOf(found.current[0]!).day,
        ),
      );
    }
    for (const later of latest.next(asked.instant, maxFutureFacts)) future.add(later);
    judged.future.push(...future);
    if (cells.size > 1) return undefined; // spans several splits
    if (judged.current.length === 0) return undefined;
    const target = clusters.find(
      (each) =>
        this.facts.versions(each).from <= judged.current[0]! &&
        judged.current[0]! < this.facts.versions(each).to,
    )!;
    const parts = { kind: 'latest', source: cluster, asked } as const;
    return this.#question(parts, { cluster: target, judged }, random);
  }

  /**
   * A full date with probability 0.8; else relative to the asking time, or as coarse as
   * unambiguous.
   */
  #writeDate(cluster: number, date: RecordDate, reference: number, random: Random): WrittenDate {
    if (random.next() < 0.8) return fullDate(date, random);
    const fact = this.facts.versions(cluster).from;
    const relative = relativeDate(date, reference, random);
    const coarse = coarseDates(date).filter(({ from, to }) =>
      this.passages.isUnambiguous(this.facts.entityOf(fact), this.facts.kindOf(fact), from, to),
    );
    const choices = [...(relative ? [relative] : []), ...coarse];
    return choices.length === 0 ? fullDate(date, random) : random.pick(choices);
  }

  #question(
    parts: Omit<QuestionParts, 'judged' | 'queryTime' | 'written'>,
    { cluster, judged, written }: { cluster: number; judged: VersionStates; written?: WrittenDate },
    random: Random,
  ): QuestionWithNegatives {
    const { passages, splits } = this;
    const dated = written && { written: { on: written.on, when: written.when } };
    const queryTime = written ? queryTimeOf(written) : null;
    const question = writeQuestion(
      passages,
      splits,
      { ...parts, judged: [judged], ...dated, queryTime },
      random,
    );
    const positive = judged.current[0]!;
    const negatives = this.#negatives.sample(
      { cluster, positive, judged, asked: parts.asked.instant, split: question.split },
      random,
    );
    question.negatives = negatives.map(({ passageFact, kind }) => ({
      id: passages.idOf(passageFact),
      kind,
    }));
    return {
      question,
      madeUp: negatives.flatMap(({ passageFact }) => (passageFact.perturbed ? [passageFact] : [])),
    };
  }
}
