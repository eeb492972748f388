// Several corpora searched as one: a snapshot of the segments of all.
import { invalidArgument } from '../errors.js';
import { CacheRegistry } from '../runtime/cacheRegistry.js';
import { settingsOf, type Manifest } from './format/manifest.js';
import { QuestionQueue } from './questionQueue.js';
import type { SearchableCorpus } from './searchableCorpus.js';
import { Snapshot } from './views/snapshot.js';

/**
 * Several corpora as one, for every system, vector search and timeline: results are those of one
 * corpus with the passages of all. They need the same encoder, fields, time zone and rows of
 * sentences, and histories if one has one; their ids are to be distinct, since a question returns
 * all that match. It is open as long as all of them are, and nothing is to be closed.
 * @throws AsOfError ERR_INVALID_ARGUMENT for no corpora, corpora that differ, or one that is not in
 * a folder; ERR_CLOSED
 * @example const { evidence } = await hybrid({ corpus: joinCorpora([wiki, news]) }).run(question);
 */
export function joinCorpora(corpora: readonly SearchableCorpus[]): SearchableCorpus {
  const isList: boolean = Array.isArray(corpora); // would narrow to any[]
  if (!isList || corpora.length === 0)
    throw invalidArgument('corpora', 'an array of open corpora', corpora);
  for (const corpus of corpora)
    if (typeof corpus?.snapshot !== 'function')
      throw invalidArgument('corpora', 'open corpora only', corpus);
  const [first] = corpora as [SearchableCorpus];
  const caches = new CacheRegistry<unknown>(undefined);
  const joined: SearchableCorpus = {
    encoder: first.encoder,
    timeZone: first.timeZone,
    questions: new QuestionQueue(corpora.map(({ questions }) => questions.name).join('+')),
    snapshot(without) {
      const parts = snapshotsOf(corpora, without);
      return Snapshot.join(parts, joinedManifest(parts), caches);
    },
    async derive({ parts }, spec, options) {
      const each = [];
      for (const [at, corpus] of corpora.entries())
        each.push(await corpus.derive(parts[at]!, spec, options));
      return {
        files: each.flatMap(({ files }) => files),
        computed: each.reduce((sum, { computed }) => sum + computed, 0),
      };
    },
  };
  joined.snapshot().release(); // refuses corpora that differ, now
  return joined;
}

/** A snapshot of each, or of none. */
function snapshotsOf(
  corpora: readonly SearchableCorpus[],
  without?: readonly string[],
): Snapshot[] {
  const parts: Snapshot[] = [];
  try {
    for (const corpus of corpora) parts.push(corpus.snapshot(without));
    checkAlike(parts);
    return parts;
  } catch (error) {
    for (const part of parts) part.release();
    throw error;
  }
}

/** @throws AsOfError ERR_INVALID_ARGUMENT */
function checkAlike(parts: readonly Snapshot[]): void {
  for (const [at, { remote }] of parts.entries())
    if (remote)
      throw invalidArgument(
        `corpora[${at}]`,
        'a corpus in a folder',
        'one in PostgreSQL',
        'Ask it by itself, or copy the passages of all into one corpus (asof copy).',
      );
  const [first, ...others] = parts;
  const expected = settingsOf(first!.manifest);
  for (const [at, other] of others.entries())
    for (const [name, value] of Object.entries(settingsOf(other.manifest))) {
      const [has, wants] = [value, expected[name]].map((each) => JSON.stringify(each));
      if (has === wants) continue;
      throw invalidArgument(
        `corpora[${at + 1}]`,
        `a corpus of the same ${name} as the first, ${wants}`,
        has,
        'Index its passages into a corpus like the first.',
      );
    }
}

function joinedManifest(parts: readonly Snapshot[]): Manifest {
  const manifests = parts.map(({ manifest }) => manifest);
  const [first] = manifests as [Manifest];
  const histories = manifests.flatMap(({ history }) => history ?? []);
  const from = Math.max(...histories.map((each) => each.from ?? -Infinity));
  return {
    ...first,
    generation: manifests.reduce((sum, { generation }) => sum + generation, 0),
    segments: manifests.flatMap(({ segments }) => segments),
    derived: [],
    ...(histories.length > 0
      ? {
          history: {
            last: Math.max(...histories.map(({ last }) => last)),
            ...(Number.isFinite(from) ? { from } : {}),
          },
        }
      : {}),
  };
}
