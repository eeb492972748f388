// Statistics of a benchmark: passages by date form, questions by split and kind, negatives by kind.
import { dateForms } from './dates.js';
import type { Re2Benchmark } from './benchmark.js';
import { negativeKinds, type NegativeKind } from './negativeKinds.js';
import type { PassageTruth } from './passages.js';
import type { Re2Question } from './question.js';
import { re2Splits, type Re2Split, type Unseen } from './splits.js';

/** Statistics of a benchmark. */
export interface Re2Statistics {
  passages: number;
  /** Synthetic negatives, which are passages of no record. */
  madeUp: number;
  /** Duplicate facts in the records, counted once. */
  duplicates: number;
  entities: Record<Re2Split, number>;
  /** Unit of held-out times, number of units, and number held out. */
  times: { unit: 'year' | 'month' | 'week' | null; units: number; heldOut: number };
  /** Number of facts, of facts with several versions, and of facts whose versions differ. */
  clusters: { all: number; versioned: number; conflicting: number };
  questions: Record<
    Re2Split,
    { explicit: number; latest: number; pair: number; withOutdated: number; withFuture: number }
  >;
  /** Test questions by their unseen parts. */
  unseen: Record<Unseen, number>;
  negatives: Record<NegativeKind, number> & { perTriplet: number };
  /** Passages by the form of their date, and the share with a masked date. */
  dates: { forms: Record<string, number>; masked: number };
  /** Number of texts by a model and by the grammar. */
  written: { model: number; rules: number };
}

export class StatisticsCounter {
  readonly #questions = Object.fromEntries(
    re2Splits.map((split) => [
      split,
      { explicit: 0, latest: 0, pair: 0, withOutdated: 0, withFuture: 0 },
    ]),
  ) as Re2Statistics['questions'];
  readonly #unseen: Re2Statistics['unseen'] = { entity: 0, time: 0, 'entity and time': 0 };
  readonly #negatives = Object.fromEntries(negativeKinds.map((kind) => [kind, 0])) as Record<
    NegativeKind,
    number
  >;
  readonly #forms = new Map<string, number>();
  #triplets = 0;
  #passages = 0;
  #madeUp = 0;
  #written = { model: 0, rules: 0 };

  question(
    { split, kind, unseen, negatives, outdated, future }: Re2Question,
    byModel: boolean,
  ): void {
    const of = this.#questions[split];
    of[kind] += 1;
    if (outdated.length > 0) of.withOutdated += 1;
    if (future.length > 0) of.withFuture += 1;
    if (unseen) this.#unseen[unseen] += 1;
    for (const negative of negatives) this.#negatives[negative.kind] += 1;
    if (kind !== 'pair') this.#triplets += 1;
    this.#written[byModel ? 'model' : 'rules'] += 1;
  }

  passage({ form, perturbed }: PassageTruth, byModel: boolean): void {
    this.#forms.set(form, (this.#forms.get(form) ?? 0) + 1);
    this.#passages += 1;
    if (perturbed) this.#madeUp += 1;
    this.#written[byModel ? 'model' : 'rules'] += 1;
  }

  of({ facts, splits }: Re2Benchmark): Re2Statistics {
    const full: readonly string[] = dateForms.full;
    const inFull = [...this.#forms].reduce(
      (sum, [form, count]) => sum + (full.includes(form) ? count : 0),
      0,
    );
    const negatives = Object.values(this.#negatives).reduce((sum, count) => sum + count, 0);
    return {
      passages: this.#passages,
      madeUp: this.#madeUp,
      duplicates: facts.duplicates,
      entities: Object.fromEntries(
        re2Splits.map((split) => [split, splits.entities(split).length]),
      ) as Record<Re2Split, number>,
      times: { unit: splits.unit ?? null, units: splits.units, heldOut: splits.heldOut.size },
      clusters: clusterCounts(facts),
      questions: this.#questions,
      unseen: this.#unseen,
      negatives: {
        ...this.#negatives,
        perTriplet: rounded(negatives / Math.max(1, this.#triplets)),
      },
      dates: {
        forms: Object.fromEntries([...this.#forms].sort(([a], [b]) => (a < b ? -1 : 1))),
        masked: rounded(1 - inFull / Math.max(1, this.#passages)),
      },
      written: this.#written,
    };
  }
}

function clusterCounts(facts: Re2Benchmark['facts']): Re2Statistics['clusters'] {
  const counts = { all: facts.clusters, versioned: 0, conflicting: 0 };
  for (let cluster = 0; cluster < facts.clusters; cluster += 1) {
    const { from, to } = facts.versions(cluster);
    if (to - from < 2) continue;
    counts.versioned += 1;
    const first = facts.valuesOf(from).join('\n');
    for (let fact = from + 1; fact < to; fact += 1) {
      if (facts.valuesOf(fact).join('\n') === first) continue;
      counts.conflicting += 1;
      break;
    }
  }
  return counts;
}

const rounded = (value: number): number => Number(value.toFixed(4));
