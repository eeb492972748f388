// Derived validity for metadata-aware retrieval (re-implementation of MRAG, section 4.1): validity
// of a passage at the question's time, as given, by content dates, or from metadata, in this order.
import { passageKey, type Candidate, type Candidates } from '../../retrieval/candidate.js';
import { passageTexts } from '../../retrieval/passageTexts.js';
import { AsOfError, invalidArgument } from '../../errors.js';
import type { StoredPassage, TimeInput } from '../../records.js';
import { stage, type Stage } from '../../pipeline.js';
import { contentTimesOf } from '../../store/views/rowTimes.js';
import type { ParsedQuestion, Window } from '../../time/constraint.js';
import { parseInstant } from '../../time/instant.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import {
  deriveValidity,
  eventGapDays,
  endValidityAt,
  type DerivedValidity,
  type PassageDates,
} from '../../time/validity.js';

export interface MetadataOptions {
  /**
   * Names of the metadata fields with dates, ISO 8601 or epoch milliseconds. `publishedAt` of a
   * passage takes precedence over the field.
   */
  fields?:
    | { published?: string | undefined; updated?: string | undefined; crawled?: string | undefined }
    | undefined;
  /**
   * The field that identifies a document: `title`, or a metadata field. The start of the next
   * retrieved version then ends the previous one. Default: none.
   */
  versions?: string | undefined;
  /**
   * Whether content dates precede a derived window for questions with a constraint on content time:
   * an article of 2020 may be about 1990. Default true.
   */
  contentFirst?: boolean | undefined;
  /**
   * Score of a passage of unknown validity, or invalid at that time, 0 to 1; a valid one scores 1.
   * Default 0.5.
   */
  outside?: number | undefined;
  /** Weight of the score, 0 to 1: score * (weight * validity + 1 - weight). Default 1. */
  weight?: number | undefined;
}

/**
 * Adds the columns `validity` (1, or `outside`) and `eventGapDays` (publication to the nearest
 * content date, negative for the past; absent without either), and the rule of each candidate.
 */
export function derivedValidity(options: MetadataOptions = {}): Stage<Candidates, Candidates> {
  const { fields = {}, versions, contentFirst = true, outside = 0.5 } = options;
  if (!(outside >= 0 && outside <= 1))
    throw invalidArgument('metadata.outside', 'a number from 0 to 1', outside);
  return stage('derivedValidity', ({ query, hits }, context) => {
    const texts = passageTexts(query);
    const when = targetWindow(query.parsed);
    const derived = new Map<string, { validity: DerivedValidity; published: number | undefined }>();
    const unreadable: string[] = [];
    for (const each of hits) {
      const key = passageKey(each);
      if (derived.has(key)) continue;
      const dates = datesOf(texts.passage(each), fields, unreadable, query.snapshot.timeZone);
      derived.set(key, {
        validity: deriveValidity(dates),
        published: dates.publishedAt ?? dates.updatedAt,
      });
    }
    if (versions !== undefined)
      endVersions(
        hits,
        derived,
        (each) => versionOf(texts.passage(each), versions),
        query.parsed.askedAt,
      );
    const clocks: Record<string, number> = {};
    for (const each of hits) {
      const { validity, published } = derived.get(passageKey(each))!;
      const contentTimes = contentTimesOf(query.snapshot.segments[each.segment]!, each.row);
      const windows =
        validity.rule !== 'given' && contentFirst && when.constrained && contentTimes.length > 0
          ? contentTimes
          : validity.window
            ? [validity.window]
            : [];
      const clock =
        validity.rule === 'given'
          ? 'validity'
          : windows === contentTimes
            ? 'content'
            : validity.window
              ? 'derived'
              : 'none';
      const gap = published === undefined ? undefined : eventGapDays(published, contentTimes);
      const valid = windows.some((window) => overlap(window, when.window));
      each.scores = {
        ...each.scores,
        validity: valid ? 1 : outside,
        ...(gap === undefined ? {} : { eventGapDays: gap }),
      };
      each.validity = () => ({ ...validity, clock });
      const read = clock === 'derived' ? validity.rule : clock;
      clocks[read] = (clocks[read] ?? 0) + 1;
    }
    context.note('read by', clocks);
    if (unreadable.length > 0) context.note('unreadable', [...new Set(unreadable)].slice(0, 5));
    return { query, hits };
  });
}

/** The window of a question: its constraint on content time, else the instant of asking. */
function targetWindow(parsed: ParsedQuestion): { window: Window; constrained: boolean } {
  const { clock, relation, window, interval } = jointConstraint(parsed);
  const constraint = window ?? interval; // "around" has no window
  if (clock !== 'published' && relation !== 'none' && constraint)
    return { window: constraint, constrained: true };
  return { window: { start: parsed.askedAt, end: parsed.askedAt + 1 }, constrained: false };
}

/** Whether half-open windows overlap; one of equal ends is that instant. */
function overlap(a: Window, b: Window): boolean {
  return a.start < Math.max(b.end, b.start + 1) && b.start < Math.max(a.end, a.start + 1);
}

function datesOf(
  { publishedAt, validFrom, validTo, metadata = {} }: StoredPassage,
  fields: NonNullable<MetadataOptions['fields']>,
  unreadable: string[],
  timeZone: string | undefined,
): PassageDates {
  const read = (field: string, edge: 'start' | 'end'): number | undefined => {
    const value = metadata[field];
    if (value === undefined || value === null) return undefined;
    try {
      return parseInstant(value as TimeInput, edge, field, timeZone);
    } catch (fault) {
      if (!AsOfError.is(fault)) throw fault;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      unreadable.push(`${field}: ${text.slice(0, 40)}`);
      return undefined;
    }
  };
  const dates = {
    publishedAt: publishedAt ?? read(fields.published ?? 'published_at', 'start'),
    updatedAt: read(fields.updated ?? 'updated_at', 'start'),
    crawledAt: read(fields.crawled ?? 'crawled_at', 'end'),
    validFrom,
    validTo,
  };
  return Object.fromEntries(Object.entries(dates).filter(([, value]) => value !== undefined));
}

function versionOf({ title, metadata = {} }: StoredPassage, field: string): string | undefined {
  const value = field === 'title' ? title : metadata[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Ends each window at the start of the next version that starts by the time of the question. */
function endVersions(
  hits: readonly Candidate[],
  derived: Map<string, { validity: DerivedValidity; published: number | undefined }>,
  documentOf: (candidate: Candidate) => string | undefined,
  askedAt: number,
): void {
  const documents = new Map<string, Set<string>>();
  for (const each of hits) {
    const document = documentOf(each);
    if (document !== undefined)
      documents.set(document, (documents.get(document) ?? new Set<string>()).add(passageKey(each)));
  }
  for (const keys of documents.values()) {
    const versions = [...keys].map((key) => derived.get(key)!);
    const starts = versions.flatMap(({ validity }) =>
      validity.window && validity.window.start <= askedAt ? [validity.window.start] : [],
    );
    const ended = versions.map(({ validity }) =>
      endValidityAt(
        validity,
        Math.min(...starts.filter((start) => start > (validity.window?.start ?? Infinity))),
      ),
    );
    versions.forEach((each, i) => void (each.validity = ended[i]!));
  }
}
