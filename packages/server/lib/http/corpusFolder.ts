// A folder of corpora, NAME.asof each, in which requests create and drop some. Other processes may
// read and write its corpora meanwhile; one server at a time creates and drops them.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AsOfError, Corpus, type CorpusOptions } from 'asof';
import { checkOptionNames, invalidArgument } from 'asof/kit';
import { HttpError } from './errors.js';
import { isServedName, type CorpusServerOptions } from './options.js';

/** What is decided when a corpus is created. */
export type NewCorpus = Pick<
  CorpusOptions,
  'fields' | 'timeZone' | 'history' | 'sentences' | 'storage'
>;

const ending = '.asof';
/** Folders that are no corpus yet, or no longer: what an end of the process leaves of them. */
const leftover = /^\.(?:new|dropped)-/;
/** Devices of Windows, which no file there can be named as, whatever its ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

export class CorpusFolder {
  private readonly path: string;
  private readonly access: CorpusOptions;

  constructor(
    { path, ...given }: NonNullable<CorpusServerOptions['folder']>,
    access: CorpusOptions,
  ) {
    checkOptionNames('folder', given, ['encoder', 'device', 'concurrency', 'lockTimeout']);
    if (typeof path !== 'string' || path === '' || path.includes('\0'))
      throw invalidArgument('folder.path', 'the path of a folder', path);
    this.path = resolve(path);
    this.access = { ...given, ...access };
  }

  /** Names of the corpora in the folder; removes what is none. */
  async names(): Promise<string[]> {
    const folders = await this.folders();
    if (!this.access.readOnly)
      for (const name of folders.filter((each) => leftover.test(each))) await this.remove(name);
    return folders
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter(isServedName);
  }

  /** Links are no folders here: they could lead anywhere. */
  private async folders(): Promise<string[]> {
    try {
      if (!this.access.readOnly) await mkdir(this.path, { recursive: true });
      const entries = await readdir(this.path, { withFileTypes: true });
      return entries.filter((each) => each.isDirectory()).map(({ name }) => name);
    } catch (error) {
      throw refused(`read the folder ${this.path}`, error);
    }
  }

  /** @throws AsOfError */
  open(name: string): Promise<Corpus> {
    return Corpus.open(this.pathOf(name), this.access);
  }

  /**
   * Creates a corpus whole or not at all.
   * @throws AsOfError ERR_CORPUS_EXISTS for a name that is taken, ERR_INVALID_ARGUMENT
   */
  async create(name: string, given: NewCorpus, signal: AbortSignal): Promise<Corpus> {
    if (devices.test(name)) throw invalidArgument('name', 'no name of a device', name);
    const fresh = join(this.path, `.new-${randomUUID()}`);
    try {
      const options = { ...this.access, ...given, create: true, signal };
      await (await Corpus.open(fresh, options)).close();
      // Never onto a corpus, whatever other processes do.
      await rename(fresh, this.pathOf(name));
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      if (AsOfError.is(error)) throw error;
      if (existsSync(this.pathOf(name))) throw taken(name);
      throw refused(`create ${this.pathOf(name)}`, error);
    }
    await this.sync();
    return this.open(name);
  }

  /** Removes a corpus that is closed: at once for everybody, then its bytes. */
  async drop(name: string): Promise<void> {
    const place = `.dropped-${randomUUID()}`;
    try {
      await rename(this.pathOf(name), join(this.path, place));
    } catch (error) {
      // Others may have removed it.
      if (existsSync(this.pathOf(name))) throw refused(`remove ${this.pathOf(name)}`, error);
    }
    await this.sync();
    await this.remove(place);
  }

  private pathOf(name: string): string {
    return join(this.path, name + ending);
  }

  /** What cannot be removed now can be at the next start. */
  private async remove(place: string): Promise<void> {
    await rm(join(this.path, place), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Names of the folder outlast a loss of power; Windows has no such call. */
  private async sync(): Promise<void> {
    if (process.platform === 'win32') return;
    await using folder = await open(this.path, 'r');
    await folder.sync();
  }
}

export const taken = (name: string): HttpError =>
  new HttpError(
    409,
    'ERR_CORPUS_EXISTS',
    `Expected the name of no corpus, received ${name}, which is taken. Choose another name.`,
  );

const refused = (what: string, cause: unknown): AsOfError =>
  new AsOfError(
    'ERR_STORAGE',
    `Expected to ${what}, the system refused (${(cause as NodeJS.ErrnoException).code}).`,
    { cause },
  );
