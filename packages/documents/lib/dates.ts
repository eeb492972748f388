// Publication dates of documents: from a field's value, from the name of a file, from the text.
import { AsOfError } from 'asof';
import { parseInstant, type Mention, tagText } from 'asof/time';

/** The source of a document's date. */
export const dateSources = [
  'given',
  'front_matter',
  'html',
  'pdf',
  'file_name',
  'text',
  'git',
  'mtime',
  'none',
] as const;
export type DateSource = (typeof dateSources)[number];

/** UTF-16 units at the start of a text in which it may say when it was published. */
const opening = 1000;

/**
 * The start of a date that a field has: ISO 8601, or a day as people write it ("6 May 2024").
 * Undefined for anything else.
 */
export function dateOfField(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  // YAML reads 2024 and 20240506 as numbers.
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const compact = text.trim().replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  try {
    return parseInstant(compact, 'start');
  } catch (fault) {
    if (!AsOfError.is(fault)) throw fault;
  }
  if (text.length > 100) return undefined;
  return tagText(text)
    .mentions.map(dayOf)
    .find((day) => day !== undefined);
}

/** The date in the name of a file: 2024-05-06-notes.md, notes_20240506.txt. */
export function dateOfFileName(path: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, year, , month, day] =
    /(?<!\d)((?:19|20)\d{2})([-_.]?)(\d{2})\2(\d{2})(?!\d)/.exec(name) ?? [];
  return year === undefined ? undefined : dateOfField(`${year}-${month}-${day}`);
}

const publication =
  /\b(?:published|posted|issued|released|updated|modified|revised|dated?|written)(?: (?:on|at|in))?[\s:*_,(]*$/i;

/**
 * The day that the opening of a text gives as its own: after "published", "updated", "date:" and
 * the like, or alone in a line. Other dates are what the text is about.
 */
export function dateOfText(text: string): number | undefined {
  const start = text.slice(0, opening);
  return tagText(start)
    .mentions.filter((mention) => isOwnDate(start, mention))
    .map(dayOf)
    .find((day) => day !== undefined);
}

function isOwnDate(text: string, { start, end }: Mention): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(Math.max(line, start - 40), start);
  const after = /^[^\n]*/.exec(text.slice(end))![0];
  const isAlone = /^[\s*_(#]*(?:on )?$/i.test(before) && /^[\s*_).]*$/.test(after);
  return isAlone || publication.test(before);
}

function dayOf({ interval }: Mention): number | undefined {
  const isDay = interval && /^(?:day|hour|minute|second)$/.test(interval.granularity);
  return isDay ? interval.start : undefined;
}
