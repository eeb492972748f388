// The corpora of a server by name, and the systems that answer questions over each.
import { invalidArgument, suggestion } from 'asof/kit';
import { createSystem, systemNames } from 'asof/papers';
import { AsOfError, Corpus, type SearchableCorpus, type StoredCorpus, type System } from 'asof';
import { badRequest, forbidden, notFound } from './errors.js';
import type { CheckedOptions } from './options.js';

export interface ServedCorpus {
  name: string;
  corpus: SearchableCorpus;
  /** The same, unless it is several corpora as one. */
  stored?: StoredCorpus;
}

export class ServedCorpora {
  private readonly systems = new Map<string, System>();

  private constructor(
    private readonly corpora: ReadonlyMap<string, ServedCorpus>,
    private readonly opened: readonly Corpus[],
    private readonly options: CheckedOptions,
  ) {}

  /** Opens the corpora that are paths; checks the system of each. */
  static async open(options: CheckedOptions): Promise<ServedCorpora> {
    const opened: Corpus[] = [];
    const corpora = new Map<string, ServedCorpus>();
    try {
      for (const [name, given] of Object.entries(options.corpora)) {
        let corpus: SearchableCorpus;
        if (typeof given === 'string') {
          const access = options.write ? { create: false } : { readOnly: true };
          opened.push((corpus = await Corpus.open(given, access)));
        } else corpus = given;
        if (typeof corpus?.snapshot !== 'function')
          throw invalidArgument(`corpora.${name}`, 'a Corpus or the path of one', given);
        const stored = isStored(corpus) ? { stored: corpus } : {};
        corpora.set(name, { name, corpus, ...stored });
      }
      const served = new ServedCorpora(corpora, opened, options);
      for (const each of served.all()) served.systemOf(each);
      return served;
    } catch (error) {
      await Promise.all(opened.map((each) => each.close()));
      throw error;
    }
  }

  all(): ServedCorpus[] {
    return [...this.corpora.values()];
  }

  /** @throws HttpError 404 */
  named(name: string): ServedCorpus {
    const found = this.corpora.get(name);
    if (found) return found;
    const known = [...this.corpora.keys()];
    throw notFound(
      `Expected a corpus of this server (${known.join(', ')}), received ` +
        `${JSON.stringify(name.slice(0, 100))}.${suggestion(name, known)}`,
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
  systemOf({ name, corpus }: ServedCorpus, system?: string): System {
    const {
      system: own = 'hybrid',
      settings,
      model,
      read,
      reranker,
      question,
      extractor,
    } = this.options;
    const wanted = system ?? own;
    const key = `${name} ${wanted}`;
    const known = this.systems.get(key);
    if (known) return known;
    const created = createSystem(wanted, {
      corpus,
      model,
      read,
      reranker,
      question,
      extractor,
      ...(settings !== undefined && wanted === own ? { settings } : {}),
    });
    this.systems.set(key, created);
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
    await Promise.all(this.opened.map((each) => each.close()));
  }
}

const isStored = (corpus: SearchableCorpus): corpus is StoredCorpus =>
  typeof (corpus as Partial<StoredCorpus>).list === 'function';
