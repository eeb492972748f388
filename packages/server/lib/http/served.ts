// The corpora of a server by name, and the systems that answer questions over each.
import { invalidArgument, suggestion } from 'asof/kit';
import { createSystem, systemNames } from 'asof/papers';
import { AsOfError, Corpus, type SearchableCorpus, type StoredCorpus, type System } from 'asof';
import { CorpusFolder, taken, type NewCorpus } from './corpusFolder.js';
import { badRequest, forbidden, HttpError, notFound } from './errors.js';
import type { CheckedOptions } from './options.js';

export interface ServedCorpus {
  name: string;
  corpus: SearchableCorpus;
  /** The same, unless it is several corpora as one. */
  stored?: StoredCorpus;
  /** The same, if the server has opened it. */
  own?: Corpus;
  /** Whether requests may drop it: it is of the folder of such. */
  isOfFolder: boolean;
  systems: Map<string, System>;
}

export class ServedCorpora {
  private readonly corpora = new Map<string, ServedCorpus>();
  /** Names of those that are being created or dropped. */
  private readonly changing = new Set<string>();
  private isClosed = false;

  private constructor(
    private readonly folder: CorpusFolder | undefined,
    private readonly options: CheckedOptions,
  ) {}

  /** Opens the corpora that are paths, and those of the folder; checks the system of each. */
  static async open(options: CheckedOptions): Promise<ServedCorpora> {
    const access = options.write ? { create: false } : { readOnly: true };
    const folder = options.folder && new CorpusFolder(options.folder, access);
    const served = new ServedCorpora(folder, options);
    try {
      for (const [name, given] of Object.entries(options.corpora)) {
        const isPath = typeof given === 'string';
        const corpus = isPath ? await Corpus.open(given, access) : given;
        if (typeof corpus?.snapshot !== 'function')
          throw invalidArgument(`corpora.${name}`, 'a Corpus or the path of one', given);
        served.set(name, corpus, isPath ? { own: corpus as Corpus } : {});
      }
      for (const name of (await folder?.names()) ?? []) {
        if (Object.hasOwn(options.corpora, name))
          throw invalidArgument('corpora', 'other names than those of the folder', name);
        served.adopt(name, await folder!.open(name));
      }
      for (const each of served.all()) served.systemOf(each);
      return served;
    } catch (error) {
      await served.close();
      throw error;
    }
  }

  private set(
    name: string,
    corpus: SearchableCorpus,
    own: Pick<ServedCorpus, 'own'>,
    isOfFolder = false,
  ): void {
    const stored = isStored(corpus) ? { stored: corpus } : {};
    const systems = new Map<string, System>();
    this.corpora.set(name, { name, corpus, ...stored, ...own, isOfFolder, systems });
  }

  /** Serves a corpus of the folder; closes it if the server has closed meanwhile. */
  private adopt(name: string, corpus: Corpus): void {
    this.set(name, corpus, { own: corpus }, true);
    if (!this.isClosed) return;
    void corpus.close();
    throw new AsOfError('ERR_CLOSED', 'Expected a running server, it has closed.');
  }

  all(): ServedCorpus[] {
    return [...this.corpora.values()];
  }

  /**
   * Creates a corpus in the folder.
   * @throws HttpError 403 without a folder, 409 for a name that is taken, and beyond the limit
   */
  async create(name: string, given: NewCorpus, signal: AbortSignal): Promise<StoredCorpus> {
    const folder = this.folderOfCorpora();
    const { corpora: most } = this.options.limits;
    return this.change(name, async () => {
      if (this.corpora.has(name)) throw taken(name);
      if (this.corpora.size + this.changing.size > most)
        throw new HttpError(
          409,
          'ERR_TOO_MANY_CORPORA',
          `Expected at most ${most} corpora, there are as many. Drop one, or raise the limit.`,
          { limit: 'corpora' },
        );
      const corpus = await folder.create(name, given, signal);
      this.adopt(name, corpus);
      return corpus;
    });
  }

  /**
   * Drops a corpus of the folder: requests that still read it end with ERR_CLOSED.
   * @throws HttpError 404; 403 without a folder, and for a corpus that lies elsewhere
   */
  async drop(name: string): Promise<void> {
    const folder = this.folderOfCorpora();
    await this.change(name, async () => {
      const { isOfFolder, own } = this.named(name);
      if (!isOfFolder)
        throw forbidden(
          `Expected a corpus of the server's folder, ${name} lies elsewhere. Its operator removes it.`,
        );
      this.corpora.delete(name);
      await own!.close();
      try {
        await folder.drop(name);
      } catch (error) {
        this.adopt(name, await folder.open(name));
        throw error;
      }
    });
  }

  private folderOfCorpora(): CorpusFolder {
    if (this.folder) return this.folder;
    throw forbidden(
      'Expected a server with a folder in which corpora are created and dropped, this one has ' +
        'none. Start it with --folder DIR.',
    );
  }

  /** One change of a name at a time. */
  private async change<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.changing.has(name))
      throw new HttpError(
        409,
        'ERR_CONFLICT',
        `Expected no other change of ${name} meanwhile, there is one. Repeat it later.`,
      );
    this.changing.add(name);
    try {
      return await work();
    } finally {
      this.changing.delete(name);
    }
  }

  /** @throws HttpError 404 */
  named(name: string): ServedCorpus {
    const found = this.corpora.get(name);
    if (found) return found;
    const known = [...this.corpora.keys()];
    const shown = known.slice(0, mostShown).join(', ') || 'which has none yet';
    throw notFound(
      `Expected a corpus of this server (${shown}${known.length > mostShown ? ', ...' : ''}), ` +
        `received ${JSON.stringify(name.slice(0, 100))}.${suggestion(name, known)}`,
    );
  }

  /** @throws HttpError 404, 400 for several corpora as one */
  storedNamed(name: string): StoredCorpus {
    const { stored } = this.named(name);
    if (stored) return stored;
    throw badRequest(
      `Expected a corpus with passages of its own, received ${name}, several searched as one. ` +
        'Ask for each by its own name.',
    );
  }

  /** @throws HttpError 404, 400, 403 */
  writableNamed(name: string): StoredCorpus {
    const corpus = this.storedNamed(name);
    if (!corpus.readOnly) return corpus;
    throw forbidden(`Expected a corpus that can be written, ${name} was opened as read-only.`);
  }

  /**
   * The system of a name, by default that of the server.
   * @throws AsOfError ERR_INVALID_ARGUMENT for an unknown name, or one that lacks its models
   */
  systemOf({ corpus, systems }: ServedCorpus, system?: string): System {
    const {
      system: own = 'hybrid',
      settings,
      model,
      read,
      reranker,
      question,
      extractor,
      timeWeights,
    } = this.options;
    const wanted = system ?? own;
    const known = systems.get(wanted);
    if (known) return known;
    const created = createSystem(wanted, {
      corpus,
      model,
      read,
      reranker,
      question,
      extractor,
      timeWeights,
      ...(settings !== undefined && wanted === own ? { settings } : {}),
    });
    systems.set(wanted, created);
    return created;
  }

  /** Names of the systems that have their models, the default first. */
  systemsOf(of: ServedCorpus): string[] {
    const { system = 'hybrid' } = this.options;
    return [system, ...systemNames.filter((name) => name !== system)].filter((name) => {
      try {
        return this.systemOf(of, name);
      } catch (fault) {
        if (AsOfError.is(fault)) return false;
        throw fault;
      }
    });
  }

  /** Closes those that the server opened. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.all().flatMap(({ own }) => (own ? [own.close()] : [])));
  }
}

/** Names in the error of an unknown one. */
const mostShown = 20;

const isStored = (corpus: SearchableCorpus): corpus is StoredCorpus =>
  typeof (corpus as Partial<StoredCorpus>).list === 'function';
