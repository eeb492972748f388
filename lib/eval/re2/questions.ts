// The questions of a benchmark (Re3 algorithm 1): for a fact as it was known at some moment, what
// answers it, what is superseded, what is still to come, and passages that are wrong in one
// respect. They come series by series, of a seed, and none is kept.
import { civilFromDays, dayMilliseconds } from '../../time/civil.js';
import { formatDay, formatInstant } from '../../time/instant.js';
import { intervalIso } from '../../time/records.js';
import { seededRandom, type Random } from '../../text/random.js';
import {
  bothDates,
  coarseDates,
  dayAfter,
  fullDate,
  relativeDate,
  type RecordDate,
  type WrittenDate,
} from './dates.js';
import type { FactTable } from './factTable.js';
import { versionStates, LatestFacts, type VersionStates } from './versionStates.js';
import { NegativeSampler, type NegativeKind, type NegativeOptions } from './negatives.js';
import { answersFor, opaqueId, type PassageWriter, type PassageFact } from './passages.js';
import type { Re2Split, Splits, Unseen } from './splits.js';

export interface QuestionOptions {
  /**
   * At most this many in all, chosen by the seed. Default: one for each fact that can be asked for.
   */
  questions?: number;
  /** Share of the questions that ask for the latest and name no date, 0 to 1. Default 0.15. */
  latest?: number;
  /**
   * Share of the questions with a date that name two, 0 to 1: two facts are wanted, alike but for
   * the date, that do not conflict. Default 0.
   */
  pairs?: number;
  negatives?: NegativeOptions;
}

/**
 * A question of a benchmark, with the passages that answer it, that are outdated and that are of
 * the future.
 */
export interface Re2Question {
  id: string;
  text: string;
  asked_at: string;
  /** Any of them is right; none of a pair, which wants two. */
  answers: string[];
  kind: 'explicit' | 'latest' | 'pair';
  split: Re2Split;
  unseen?: Unseen;
  /**
   * What the question names, of a pair the date that it names first: `{ start_iso, end_iso,
   * granularity }`; nothing for the latest.
   */
  query_time: { start_iso: string; end_iso: string; granularity: string } | null;
  /**
   * The entity as it is called, and the date as it is written: what a model's wording must keep.
   */
  asks: { entity: string; name: string; when?: string; values: readonly string[] };
  positive: string;
  /** None of a pair: a triplet has one positive. */
  negatives: { id: string; kind: NegativeKind }[];
  /** The passages that tell each of the facts that are wanted: one list, of a pair two. */
  facts: string[][];
  current: string[];
  outdated: string[];
  future: string[];
}

/** A question, and the passages of its negatives that are not in the records. */
export interface QuestionWithNegatives {
  question: Re2Question;
  madeUp: PassageFact[];
}

/** After a last version a question may come this much later, in days. */
const lateDays = 14;
/** So many facts before or after one in its series may stand beside it in a pair. */
const pairReach = 3;
/** Facts to come that are named beside a question for the latest. */
const futureNamed = 8;
const defaultLatest = 0.15;

export class QuestionGenerator {
  readonly #negatives: NegativeSampler;

  constructor(
    private readonly facts: FactTable,
    private readonly splits: Splits,
    private readonly passages: PassageWriter,
    private readonly options: QuestionOptions = {},
  ) {
    this.#negatives = new NegativeSampler(
      facts,
      splits,
      passages,
      (series) => this.#asksLatest(series),
      options.negatives,
    );
  }

  /** Facts that may be asked for, each once, in the order of entity, kind and date. */
  *all(): Generator<QuestionWithNegatives> {
    const { facts } = this;
    const chosen = this.#chosen();
    for (let series = 0; series < facts.seriesCount; series += 1) {
      const { from, to } = facts.clustersOf(series);
      let latest: LatestFacts | undefined;
      for (let cluster = from; cluster < to; cluster += 1) {
        if (chosen && !chosen[cluster]) continue;
        const random = seededRandom(this.passages.seed, `question ${this.#keyOf(cluster)}`);
        const forLatest = this.#asksLatest(series) && random.next() < this.#latestShare();
        const made = forLatest
          ? this.#latest((latest ??= new LatestFacts(facts, series)), cluster, random)
          : (this.#pair(cluster) ?? this.#explicit(cluster, random));
        if (made) yield made;
      }
    }
  }

  /**
   * By publication, half of the series are asked for the latest, twice as often: something may be
   * made up for the others only.
   */
  #asksLatest(series: number): boolean {
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

  #chosen(): Uint8Array | undefined {
    const { questions } = this.options;
    const { clusters } = this.facts;
    if (questions === undefined || questions >= clusters) return undefined;
    const random = seededRandom(this.passages.seed, 'chosen');
    const chosen = new Uint8Array(clusters);
    // Selection sampling: each of the clusters left with the chance that fills the number.
    let wanted = questions;
    for (let cluster = 0; cluster < clusters && wanted > 0; cluster += 1) {
      if (random.next() * (clusters - cluster) >= wanted) continue;
      chosen[cluster] = 1;
      wanted -= 1;
    }
    return chosen;
  }

  #keyOf(cluster: number): string {
    return this.passages.idOfFact(this.facts.versions(cluster).from);
  }

  #explicit(cluster: number, random: Random): QuestionWithNegatives | undefined {
    const { from, to } = this.facts.versions(cluster);
    const fact = from + random.below(to - from);
    const asked = this.#askedAfter(fact, to, random);
    const judged = versionStates(this.facts, cluster, asked.instant);
    if (!judged) return undefined;
    const date = this.facts.dateOf(fact);
    const written = this.#writeDate(
      cluster,
      date,
      Math.floor(asked.instant / dayMilliseconds),
      random,
    );
    return this.#made({
      kind: 'explicit',
      source: cluster,
      cluster,
      judged,
      asked,
      written,
      random,
    });
  }

  /**
   * Two facts of a series near in time, as they were known at one moment. Nothing where the share
   * leaves it out, or where no neighbour is of the same split, known, and told of in the same
   * tense. It has a seed of its own, so that the other questions do not hang on the share.
   */
  #pair(cluster: number): QuestionWithNegatives | undefined {
    const { pairs = 0 } = this.options;
    const { facts, passages, splits } = this;
    const random = seededRandom(passages.seed, `pair ${this.#keyOf(cluster)}`);
    if (random.next() >= pairs) return undefined;
    const { from, to } = facts.versions(cluster);
    const fact = from + random.below(to - from);
    const asked = this.#askedAfter(fact, to, random);
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
    const id = opaqueId(`question pair ${this.#keyOf(cluster)}`, passages.seed);
    return {
      question: {
        id,
        ...this.#paired(
          both.map((each) => each.judged) as [VersionStates, VersionStates],
          asked,
          random,
        ),
      },
      madeUp: [],
    };
  }

  #paired(
    judged: readonly [VersionStates, VersionStates],
    asked: { instant: number; text: string },
    random: Random,
  ): Omit<Re2Question, 'id'> {
    const { facts, passages, splits } = this;
    const positives = judged.map(({ current }) => current[0]!) as [number, number];
    const [fact] = positives;
    const entity = facts.entityOf(fact);
    const dates = positives.map((each) => facts.dateOf(each)) as [RecordDate, RecordDate];
    const today = Math.floor(asked.instant / dayMilliseconds);
    const written = bothDates(dates, today, random);
    const statement = passages.statement(
      { entity, kind: facts.kindOf(fact), values: facts.valuesOf(fact) },
      random,
    );
    const { index, slots } = passages.wording.target(statement, random);
    const tense = dates[0].day >= today ? 'future' : 'past';
    const text = passages.wording.questions.expand(
      'pair',
      { entity: statement.entity, ...slots, ...written, [tense]: '' },
      random,
    );
    const split = splits.of(entity, dates[0].day);
    const unseen = split === 'test' ? splits.unseen(entity, dates[0].day) : undefined;
    const ids = (of: keyof VersionStates): string[] =>
      judged.flatMap((each) => each[of].map((one) => passages.idOfFact(one)));
    return {
      text,
      asked_at: asked.text,
      answers: [],
      kind: 'pair',
      split,
      ...(unseen ? { unseen } : {}),
      query_time: queryTimeOf({ from: dates[0].day, to: dayAfter(dates[0]) }),
      asks: {
        entity: statement.entity,
        name: statement.values[index]!.name,
        values: positives.flatMap((each) => facts.valuesOf(each)),
        when: written.when,
      },
      positive: passages.idOfFact(fact),
      negatives: [],
      facts: judged.map(({ current }) => current.map((one) => passages.idOfFact(one))),
      current: ids('current'),
      outdated: ids('outdated'),
      future: ids('future'),
    };
  }

  /** Asked soon after a version of the cluster: the latest then may be another's. */
  #latest(latest: LatestFacts, cluster: number, random: Random): QuestionWithNegatives | undefined {
    const { from, to } = this.facts.versions(cluster);
    const fact = from + random.below(to - from);
    const seen = latest.seen(this.facts.publishedOf(fact));
    const asked = this.#askedAfter(
      fact,
      to,
      random,
      seen < latest.size ? this.facts.publishedOf(latest.fact(seen)) : Infinity,
    );
    const byPublication = this.passages.schema.latest === 'published';
    const judged: VersionStates = { current: [], outdated: [], future: [] };
    const future = new Set<number>();
    const cells = new Set<Re2Split>();
    const clusters = latest.clusters(asked.instant, this.passages.schema.latest);
    for (const each of clusters) {
      const found = versionStates(this.facts, each, asked.instant);
      if (!found) return undefined;
      // An older forecast that says the same is current as an answer, and is not the latest one.
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
    for (const later of latest.next(asked.instant, futureNamed)) future.add(later);
    judged.future.push(...future);
    if (cells.size > 1) return undefined; // it could be of no split
    if (judged.current.length === 0) return undefined;
    const target = clusters.find(
      (each) =>
        this.facts.versions(each).from <= judged.current[0]! &&
        judged.current[0]! < this.facts.versions(each).to,
    )!;
    return this.#made({ kind: 'latest', source: cluster, cluster: target, judged, asked, random });
  }

  /**
   * A moment after a version and before the next one, of the cluster or of `before`: what was asked
   * and what it answers.
   */
  #askedAfter(
    fact: number,
    to: number,
    random: Random,
    before = Infinity,
  ): { instant: number; text: string } {
    const published = this.facts.publishedOf(fact);
    let next = before;
    for (let later = fact + 1; later < to; later += 1) {
      if (this.facts.publishedOf(later) <= published) continue;
      next = Math.min(next, this.facts.publishedOf(later));
      break;
    }
    const gap = Math.min(next - published, lateDays * dayMilliseconds);
    if (this.facts.isPublishedDay(fact)) {
      const day =
        Math.floor(published / dayMilliseconds) +
        Math.floor(random.next() * Math.max(1, Math.floor(gap / dayMilliseconds)));
      return { instant: (day + 1) * dayMilliseconds - 1, text: formatDay(day * dayMilliseconds) };
    }
    const minutes = Math.floor((gap * (0.05 + 0.85 * random.next())) / 60_000);
    const instant = published + minutes * 60_000;
    return { instant, text: formatInstant(instant) };
  }

  /**
   * In full four times of five; else as it stands to the day of asking, or as coarse as still means
   * this one fact.
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

  #made({
    kind,
    source,
    cluster,
    judged,
    asked,
    written,
    random,
  }: {
    kind: Re2Question['kind'];
    /** The cluster that it was drawn for: the latest may be another, and that of several. */
    source: number;
    cluster: number;
    judged: VersionStates;
    asked: { instant: number; text: string };
    written?: WrittenDate;
    random: Random;
  }): QuestionWithNegatives {
    const { passages, facts } = this;
    const positive = judged.current[0]!;
    const [entity, { day }] = [facts.entityOf(positive), facts.dateOf(positive)];
    const split = this.splits.of(entity, day);
    const unseen = split === 'test' ? this.splits.unseen(entity, day) : undefined;
    const statement = passages.statement(
      { entity, kind: facts.kindOf(positive), values: facts.valuesOf(positive) },
      random,
    );
    const { index, slots } = passages.wording.target(statement, random);
    const tense = day >= Math.floor(asked.instant / dayMilliseconds) ? 'future' : 'past';
    const dated = written ? { on: written.on, when: written.when } : {};
    const text = passages.wording.questions.expand(
      written ? 'question' : 'latest',
      { entity: statement.entity, ...slots, ...dated, [tense]: '' },
      random,
    );
    const negatives = this.#negatives.sample(
      { cluster, positive, judged, asked: asked.instant, split },
      random,
    );
    const idOf = (fact: number): string => passages.idOfFact(fact);
    const values = facts.valuesOf(positive);
    const question: Re2Question = {
      id: opaqueId(`question ${kind} ${this.#keyOf(source)}`, passages.seed),
      text,
      asked_at: asked.text,
      answers: answersFor(values[index]!),
      kind,
      split,
      ...(unseen ? { unseen } : {}),
      query_time: written ? queryTimeOf(written) : null,
      asks: {
        entity: statement.entity,
        name: statement.values[index]!.name,
        values,
        ...(written ? { when: written.when } : {}),
      },
      positive: idOf(positive),
      negatives: negatives.map(({ told, kind: wrong }) => ({
        id: passages.idOf(told),
        kind: wrong,
      })),
      facts: [judged.current.map(idOf)],
      current: judged.current.map(idOf),
      outdated: judged.outdated.map(idOf),
      future: judged.future.map(idOf),
    };
    return { question, madeUp: negatives.flatMap(({ told }) => (told.perturbed ? [told] : [])) };
  }
}

/** What a written date tells, as the rest of the library prints intervals. */
function queryTimeOf({
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
