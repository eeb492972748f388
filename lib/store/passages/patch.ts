// Changes of stored passages without their text and vectors, and the new versions they make.
import { invalidArgument, mustBe } from '../../errors.js';
import type { Passage, StoredPassage, TimeInput } from '../../records.js';
import { suggestion } from '../../runtime/nearestName.js';
import { clockNames } from './clocks.js';
import { copyJsonObject } from './jsonCopy.js';
import { preparePassage, type PassageRules, type PreparedPassage } from './passages.js';
import { withoutClosing } from './seriesRecord.js';

/** What `update` changes of passages: fields that are given; null removes one. */
export type PassagePatch = {
  publishedAt?: TimeInput | null | undefined;
  validFrom?: TimeInput | null | undefined;
  validTo?: TimeInput | null | undefined;
  /** Entries to set, each as a whole; an entry that is null is removed, and by null all of them. */
  metadata?: Readonly<Record<string, unknown>> | null | undefined;
  /** The passage moves to this series. */
  series?: string | undefined;
  supersedes?: string | undefined;
};

/** Their names, as in code. */
export const patchFields: readonly string[] = [...clockNames, 'metadata', 'series', 'supersedes'];

/** UTF-16 units of a patch's metadata, over which not all of it is read. */
const mostMetadata = 1 << 20;

/** A patch with a copy of its metadata. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkedPatch(patch: PassagePatch): PassagePatch {
  mustBe('an object', { patch });
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const [unknown] = given.find(([name]) => !patchFields.includes(name)) ?? [];
  const expected = `an object with some of ${patchFields.join(', ')}`;
  if (unknown !== undefined) {
    const remedy = ['text', 'title', 'vector', 'sentenceVectors'].includes(unknown)
      ? 'Add the passage again: its vectors depend on that.'
      : `${suggestion(unknown, patchFields)} Other entries go into metadata.`.trimStart();
    throw invalidArgument('patch', expected, unknown, remedy);
  }
  if (given.length === 0) throw invalidArgument('patch', expected, patch);
  const { metadata, series, supersedes } = patch;
  for (const [name, value] of Object.entries({ series, supersedes }))
    if (value === null)
      throw invalidArgument(
        name,
        'the key of a series or the id of a state',
        value,
        'A passage stays in its series until it names another one: delete it, and add it again.',
      );
  const copy = metadata && copyJsonObject('metadata', metadata, mostMetadata, invalidArgument);
  return { ...(Object.fromEntries(given) as PassagePatch), ...(copy && { metadata: copy }) };
}

/**
 * The new version of a stored passage, whose text stays.
 * @throws AsOfError ERR_INVALID_ARGUMENT with details { argument, index, id }
 */
export const patchedPassage = (
  stored: StoredPassage,
  patch: PassagePatch,
  index: number,
  rules: PassageRules,
): PreparedPassage => preparePassage(withPatch(stored, patch), index, { ...rules, encodes: true });

/** Whether a passage's words speak of the same times: "yesterday" is that of its publication. */
export const haveSameTimes = (a: StoredPassage, b: StoredPassage): boolean =>
  a.publishedAt === b.publishedAt;

function withPatch(stored: StoredPassage, { metadata, ...fields }: PassagePatch): Passage {
  const { metadata: before, ...open } = withoutClosing(stored);
  const passage: Record<string, unknown> = { ...open };
  // Numbers are instants, also those that as input would be taken for seconds.
  for (const name of clockNames) if (open[name] !== undefined) passage[name] = new Date(open[name]);
  Object.assign(passage, fields, { metadata: metadata === null ? undefined : before });
  if (metadata) {
    const entries = Object.entries({ ...before, ...metadata });
    passage['metadata'] = Object.fromEntries(
      entries.filter(([name, value]) => value !== null || metadata[name] === undefined),
    );
  }
  return passage as unknown as Passage;
}

/**
 * A passage with entries of its metadata under other names; itself if it has none of them.
 * @throws AsOfError ERR_INVALID_ARGUMENT if it has an entry of such a name
 */
export function withRenamed(
  stored: StoredPassage,
  names: Readonly<Record<string, string>>,
): StoredPassage {
  const { id, metadata = {} } = stored;
  if (!Object.keys(metadata).some((name) => Object.hasOwn(names, name))) return stored;
  const renamed = new Map<string, unknown>();
  for (const [name, value] of Object.entries(metadata)) {
    const to = Object.hasOwn(names, name) ? names[name]! : name;
    if (renamed.has(to))
      throw invalidArgument(
        `the metadata of passage ${JSON.stringify(id.slice(0, 60))}`,
        `to lack ${to}, the new name of another entry`,
        'both',
        'Remove one of them by update.',
      );
    renamed.set(to, value);
  }
  return { ...stored, metadata: Object.fromEntries(renamed) };
}
