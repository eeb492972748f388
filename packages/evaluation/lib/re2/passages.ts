// Passages of facts: date, values and sometimes publication in sentences of the schema's style,
// deterministic by fact and seed.
import { invalidArgument, seededRandom, type Random } from 'asof/kit';
import { formatDay, formatInstant } from 'asof/time';
import {
  coarseDates,
  fullDate,
  isoDate,
  relativeDate,
  type RecordDate,
  type WrittenDate,
} from './dates.js';
import type { FactTable } from './factTable.js';
import type { Slots } from './grammar.js';
import type { CheckedSchema } from './schema.js';
import { styles } from './wording/style.js';
import type { AttributeValue, Statement, Wording } from './wording/wording.js';
import { dayMilliseconds } from '../calendar.js';

/** The fact of a passage: a record, or a synthetic negative that differs from one in one part. */
export interface PassageFact {
  /** Its row in the fact table; absent for a synthetic negative. */
  fact?: number;
  entity: number;
  kind: number;
  date: RecordDate;
  published: number;
  publishedDay: boolean;
  values: readonly string[];
  /** Not in the records. */
  perturbed?: 'time' | 'entity';
}

export interface Re2Passage {
  id: string;
  text: string;
  published_at: string;
}

/**
 * Ground truth of a passage, for the evaluation of extractors and for analysis.
 */
export interface PassageTruth {
  id: string;
  entity: string;
  attribute?: string;
  /** 2022-01-14, 2022-01 or 2022. */
  date: string;
  values: Record<string, string>;
  form: WrittenDate['form'];
  perturbed?: 'time' | 'entity';
}

export interface WordingOptions {
  /**
   * Share of passages with a masked date, 0 to 1, where the masked form is unambiguous. Default
   * 0.3.
   */
  masked?: number;
}

export class PassageWriter {
  readonly wording: Wording;
  readonly #masked: number;
  readonly #ids: Float64Array;

  /**
   * Errors: ERR_INVALID_ARGUMENT for a seed with an id collision, about one in thousands for a
   * million facts.
   */
  constructor(
    readonly facts: FactTable,
    readonly schema: CheckedSchema,
    readonly seed: number,
    { masked = 0.3 }: WordingOptions = {},
  ) {
    this.wording = styles[schema.style];
    this.#masked = masked;
    this.#ids = Float64Array.from({ length: facts.size }, (_, fact) =>
      hash(this.#key(this.factAt(fact)), seed),
    );
    checkUnique(this.#ids.toSorted());
  }

  factAt(fact: number): PassageFact {
    const { facts } = this;
    return {
      fact,
      entity: facts.entityOf(fact),
      kind: facts.kindOf(fact),
      date: facts.dateOf(fact),
      values: facts.valuesOf(fact),
      published: facts.publishedOf(fact),
      publishedDay: facts.isPublishedDay(fact),
    };
  }

  /** Opaque id, 13 hexadecimal digits, independent of the fact's content and position. */
  idOf(passageFact: PassageFact): string {
    return hexadecimal(this.numericId(passageFact));
  }
  /** The id as a number. */
  numericId(passageFact: PassageFact): number {
    return passageFact.fact === undefined
      ? hash(this.#key(passageFact), this.seed)
      : this.#ids[passageFact.fact]!;
  }
  idOfFact(fact: number): string {
    return hexadecimal(this.#ids[fact]!);
  }

  /** The passage and its ground truth. */
  write(passageFact: PassageFact): { passage: Re2Passage; truth: PassageTruth } {
    const id = this.idOf(passageFact);
    const { statement, slots, written } = this.parts(passageFact, id);
    const random = seededRandom(this.seed, `sentences ${id}`);
    const text = this.wording.documents.expand('document', slots, random);
    const { label } = this.facts.kinds[passageFact.kind]!;
    const truth: PassageTruth = {
      id,
      entity: statement.entity,
      ...(label === undefined ? {} : { attribute: label }),
      date: isoDate(passageFact.date),
      values: Object.fromEntries(
        this.attributes(passageFact.kind).map(({ column }, at) => [
          column,
          passageFact.values[at]!,
        ]),
      ),
      form: written.form,
      ...(passageFact.perturbed ? { perturbed: passageFact.perturbed } : {}),
    };
    return { passage: { id, text, published_at: this.publishedAt(passageFact) }, truth };
  }

  /** The slots of a passage's sentences. */
  parts(
    passageFact: PassageFact,
    id = this.idOf(passageFact),
  ): { statement: Statement; slots: Slots; written: WrittenDate } {
    const random = seededRandom(this.seed, `passage ${id}`);
    const written = this.#writeDate(passageFact, random);
    const statement = this.statement(passageFact, random);
    return {
      statement,
      written,
      slots: {
        entity: statement.entity,
        ...this.wording.slots(statement),
        ...this.#dateSlots(passageFact, written, random),
      },
    };
  }

  publishedAt({
    published,
    publishedDay,
  }: Pick<PassageFact, 'published' | 'publishedDay'>): string {
    return publishedDay ? formatDay(published) : formatInstant(published);
  }

  /** The fact as names and values, each in one of its forms. */
  statement(
    { entity, kind, values }: Pick<PassageFact, 'entity' | 'kind' | 'values'>,
    random: Random,
  ): Statement {
    const { label } = this.facts.kinds[kind]!;
    const attributes = this.attributes(kind);
    const grouped = random.next() < 0.5;
    const said = attributes.map(({ names, units, role, cumulative, named }, at): AttributeValue => {
      const name =
        label === undefined || role !== undefined
          ? random.pick(names)
          : named || attributes.length > 1
            ? `${label} ${random.pick(names)}`
            : label;
      return {
        role,
        name,
        value: `${number(values[at]!, grouped)}${random.pick(units)}`,
        cumulative,
      };
    });
    return { entity: this.facts.entities[entity]!, label, values: said };
  }

  attributes(kind: number): CheckedSchema['groups'][number]['attributes'] {
    return this.schema.groups[this.facts.kinds[kind]!.group]!.attributes;
  }

  #key({ entity, kind, date, published, values, perturbed }: PassageFact): string {
    const { label, group } = this.facts.kinds[kind]!;
    return [
      this.facts.entities[entity],
      label ?? '',
      group,
      date.day,
      date.granularity,
      published,
      ...values,
      perturbed ?? '',
    ].join('\u001f');
  }

  /** In full, or masked where the masked form is unambiguous among the entity's facts. */
  #writeDate(passageFact: PassageFact, random: Random): WrittenDate {
    const masked = random.next() < this.#masked;
    if (masked) {
      const relative = relativeDate(
        passageFact.date,
        Math.floor(passageFact.published / dayMilliseconds),
        random,
      );
      const coarse = passageFact.perturbed
        ? []
        : coarseDates(passageFact.date).filter(({ from, to }) =>
            this.isUnambiguous(passageFact.entity, passageFact.kind, from, to),
          );
      const choices = [...(relative ? [relative] : []), ...coarse];
      if (choices.length > 0) return random.pick(choices);
    }
    return fullDate(passageFact.date, random);
  }

  /** Whether the entity has at most one date of the kind within the days [from, to). */
  isUnambiguous(entity: number, kind: number, from: number, to: number): boolean {
    const series = this.facts.seriesAt(entity, kind);
    if (series === undefined) return true;
    const run = this.facts.within(series, from, to);
    return run.to - run.from <= 1;
  }

  #dateSlots({ published, date }: PassageFact, { on, when }: WrittenDate, random: Random): Slots {
    const day = Math.floor(published / dayMilliseconds);
    const issued =
      this.schema.published === undefined
        ? undefined
        : fullDate({ day, granularity: 'day' }, random);
    return {
      on,
      when,
      [date.day >= day ? 'future' : 'past']: '',
      ...(issued ? { issued: issued.when, issuedOn: issued.on } : {}),
    };
  }
}

/** The key of a cluster in seeds: the id of its oldest version. */
export const clusterKey = (passages: PassageWriter, cluster: number): string =>
  passages.idOfFact(passages.facts.versions(cluster).from);

/** An opaque id for a text: 52 bits that are the same everywhere. */
export function opaqueId(text: string, seed: number): string {
  return hexadecimal(hash(text, seed));
}

function hexadecimal(id: number): string {
  const high = Math.floor(id / 4_294_967_296);
  return (
    high.toString(16).padStart(5, '0') + (id - high * 4_294_967_296).toString(16).padStart(8, '0')
  );
}

/**
 * 52 bits of two multiplied 32-bit words, mixed into each other at the end; not cryptographic.
 */
function hash(text: string, seed: number): number {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high >>> 12) * 4_294_967_296 + (low >>> 0);
}

/** Ids in their order. */
export function checkUnique(ids: Float64Array): void {
  for (let at = 1; at < ids.length; at += 1) {
    if (ids[at] === ids[at - 1])
      throw invalidArgument('seed', 'one without id collisions', ids[at], 'Use another seed.');
  }
}

/**
 * Numbers of five digits and more with or without commas; other values unchanged.
 */
function number(value: string, grouped: boolean): string {
  const match = /^(-?)(\d{1,15})(\.\d+)?$/.exec(value);
  if (!match) return value;
  const [, sign, digits, fraction = ''] = match;
  const plain = /^\.0+$/.test(fraction) ? '' : fraction;
  return `${sign}${grouped && digits!.length > 4 ? digits!.replace(/\B(?=(\d{3})+$)/g, ',') : digits}${plain}`;
}

/** Accepted answers for a value: its forms in records and passages. */
export function answersFor(value: string): string[] {
  return [...new Set([number(value, false), number(value, true)])];
}
