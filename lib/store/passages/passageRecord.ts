// A passage from its JSON record: lines of `asof index`, bodies of the server, agents' tools.
import type { Passage } from '../../records.js';
import { suggestion } from '../../runtime/nearestName.js';
import { patchFields, type PassagePatch } from './patch.js';
import { checkPassage, fileFieldName, passageFields, type PassageRules } from './passages.js';
import {
  listField,
  withLocation,
  invalidLine,
  stringField,
  type LineLocation,
} from '../../text/lines.js';
import { parseInstant } from '../../time/instant.js';

/** Dates of no clock, which go into the metadata. */
const datesOfNoClock = ['updated_at', 'crawled_at'];
const ofPassages = [...passageFields.map(fileFieldName), ...datesOfNoClock];
const ofPatches = patchFields.map(fileFieldName);

function checkFieldNames(
  record: Record<string, unknown>,
  where: LineLocation,
  known: readonly string[],
): void {
  const unknown = Object.keys(record).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const what = known === ofPatches ? 'a patch' : 'a passage';
  const inCode = passageFields.includes(unknown) ? fileFieldName(unknown) : unknown;
  const remedies = [
    inCode === unknown ? suggestion(unknown, known) : ` Did you mean ${inCode}?`,
    ofPassages.includes(inCode) && !known.includes(inCode)
      ? 'Index the passage again: that is no change of a passage whose text stays.'
      : 'What else there is goes into metadata.',
  ];
  throw invalidLine(
    where,
    `${what} to have no fields but ${known.join(', ')}`,
    JSON.stringify(unknown.slice(0, 60)),
    remedies.join(' ').trim(),
  );
}

/** The patch of a record `{published_at?,valid_from?,valid_to?,metadata?,series?,supersedes?}`. */
export function patchOfRecord(record: Record<string, unknown>, where: LineLocation): PassagePatch {
  checkFieldNames(record, where, ofPatches);
  const entries = patchFields.flatMap((field) => {
    const name = fileFieldName(field);
    const isTime = /_(?:at|from|to)$/.test(name) && record[name] !== null;
    const value = isTime ? timeField(record, name, where) : record[name];
    return value === undefined ? [] : [[field, value]];
  });
  if (entries.length === 0)
    throw invalidLine(where, `a patch to have some of ${ofPatches.join(', ')}`, 'none');
  return Object.fromEntries(entries) as PassagePatch;
}

/** A time of a record, as it is written. */
function timeField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): string | number | undefined {
  const value = record[name];
  if (typeof value !== 'number') return stringField(record, name, where, 'allowed');
  // Years, 20210506 and epoch seconds, read as milliseconds, would all be in January 1970.
  if (Number.isInteger(value) && value >= 1000 && value < 2 ** 31) {
    throw invalidLine(
      where,
      `"${name}" to be ISO 8601 or epoch milliseconds`,
      String(value),
      'Write "2021-05-06", or seconds times 1000.',
    );
  }
  return value;
}

/**
 * The passage of a record `{id,text,title?,published_at?,valid_from?,valid_to?,metadata?,chunk?,
 * vector?,sentence_vectors?,series?,supersedes?,superseded_by?}`; with `rules` it is checked.
 */
export function passageOfRecord(
  record: Record<string, unknown>,
  where: LineLocation,
  rules?: PassageRules,
): Passage {
  const passage = unchecked(record, where);
  if (rules) withLocation(() => checkPassage(passage, rules), where);
  return passage;
}

function unchecked(record: Record<string, unknown>, where: LineLocation): Passage {
  checkFieldNames(record, where, ofPassages);
  const title = stringField(record, 'title', where, 'allowed');
  const publishedAt = timeField(record, 'published_at', where);
  const validFrom = timeField(record, 'valid_from', where);
  const validTo = timeField(record, 'valid_to', where);
  const fields = record['metadata'] ?? undefined;
  if (fields !== undefined && (typeof fields !== 'object' || Array.isArray(fields))) {
    throw invalidLine(where, '"metadata" to be an object', JSON.stringify(fields).slice(0, 60));
  }
  // For systems that derive validity from them.
  const dates = datesOfNoClock.flatMap((name) => {
    const value = timeField(record, name, where);
    if (value !== undefined) withLocation(() => parseInstant(value, 'start', name), where);
    return value === undefined ? [] : [[name, value] as const];
  });
  const chunk = record['chunk'] ?? undefined; // checked with the passage
  const metadata = dates.length > 0 ? { ...fields, ...Object.fromEntries(dates) } : fields;
  return {
    id: stringField(record, 'id', where),
    text: stringField(record, 'text', where),
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(metadata === undefined ? {} : { metadata: metadata as Record<string, unknown> }),
    ...vectorFields(record, where),
    ...seriesFields(record, where),
    ...(chunk === undefined ? {} : { chunk: chunk as NonNullable<Passage['chunk']> }),
  };
}

/** Its series, and how it was closed there, checked with the passage. */
function seriesFields(
  record: Record<string, unknown>,
  where: LineLocation,
): Pick<Passage, 'series' | 'supersedes' | 'supersededBy'> {
  const series = stringField(record, 'series', where, 'allowed');
  const supersedes = stringField(record, 'supersedes', where, 'allowed');
  const closing = record['superseded_by'] as Record<string, never> | null | undefined;
  return {
    ...(series === undefined ? {} : { series }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(closing ? { supersededBy: { ...closing, validTo: closing['valid_to'] } as never } : {}),
  };
}

/** Vectors of a line; the corpus that they are for checks their lengths. */
function vectorFields(
  record: Record<string, unknown>,
  where: LineLocation,
): Pick<Passage, 'vector' | 'sentenceVectors'> {
  const isVector = (each: unknown): boolean =>
    Array.isArray(each) && each.every((component) => typeof component === 'number');
  const numbers = { of: 'numbers', is: (each: unknown) => typeof each === 'number' };
  const vectors = { of: 'lists of numbers', is: isVector };
  const vector = listField<number>(record, 'vector', where, numbers);
  const sentenceVectors = listField<number[]>(record, 'sentence_vectors', where, vectors);
  return { ...(vector ? { vector } : {}), ...(sentenceVectors ? { sentenceVectors } : {}) };
}
