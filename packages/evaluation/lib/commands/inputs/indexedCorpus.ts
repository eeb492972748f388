// Corpora in a work folder, identified by a digest of their inputs.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Passage, Corpus, type Encoder } from 'asof';
import { checkPassage, passageOfRecord, withLocation, readJsonLines } from 'asof/kit';
import type { Terminal } from 'asof/command';

export interface KeepOptions {
  /** Folder of the corpora. */
  keep: string;
  encoder: Encoder | undefined;
  signal: AbortSignal;
  terminal: Terminal;
}

/** The corpus of a file of passages, indexed unless complete. */
export async function indexed(
  file: string,
  name: string,
  options: KeepOptions,
  toPassage: typeof passageOfRecord = passageOfRecord,
): Promise<Corpus> {
  return indexedOf(name, options, ({ passageRules }) => {
    const read: typeof toPassage = (record, where) => {
      const passage = toPassage(record, where);
      if (!isBlank(passage)) withLocation(() => checkPassage(passage, passageRules), where);
      return passage;
    };
    return readJsonLines(file, read, { signal: options.signal });
  });
}

/**
 * The corpus of passages, which are read unless it is complete. Test collections have documents
 * without text, which nothing could find: they are omitted, and their number is reported.
 */
export async function indexedOf(
  name: string,
  { keep, encoder, signal, terminal }: KeepOptions,
  passages: (corpus: Corpus) => AsyncIterable<Passage>,
): Promise<Corpus> {
  const suffix = encoder ? `.${encoder.id.replace(/\W+/g, '-')}` : '';
  const folder = join(keep, 'corpora', `${name}${suffix}.asof`);
  const done = `${folder}.indexed`; // written last: a corpus without it is incomplete
  await mkdir(join(keep, 'corpora'), { recursive: true });
  const corpus = await Corpus.open(folder, encoder ? { encoder } : {});
  if (await stat(done).catch(() => undefined)) return corpus;
  const bar = terminal.progress(`indexing ${name}`, 'passages');
  let blank = 0;
  const withText = async function* (): AsyncGenerator<Passage> {
    for await (const passage of passages(corpus)) {
      if (isBlank(passage)) blank += 1;
      else yield passage;
    }
  };
  try {
    await corpus.add(withText(), { signal, onProgress: bar.update });
    if (blank > 0)
      terminal.say(`asof: ${blank} passages of ${name} have neither text nor title: omitted.`);
    await writeFile(done, '');
    return corpus;
  } catch (fault) {
    await corpus.close();
    throw fault;
  } finally {
    bar.end();
  }
}

const isBlank = ({ text, title = '' }: Passage): boolean =>
  typeof text === 'string' && typeof title === 'string' && `${title}${text}`.trim() === '';

/** SHA-256 of the names and contents of files. */
export async function digestOf(paths: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const path of paths) {
    digest.update(`${basename(path)}\n`);
    for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  }
  return digest.digest('hex');
}
