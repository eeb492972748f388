// Options of a server of corpora, their checks and defaults.
import { checkOptionNames, invalidArgument, mustBe } from 'asof/kit';
import type { SystemOptions } from 'asof/papers';
import type { CorpusOptions, SearchableCorpus, StoredCorpus } from 'asof';
import { checkTokens } from './access.js';
import { checkLimits, type Limits, type ServerLimits } from './limits.js';

export interface CorpusServerOptions extends Omit<SystemOptions, 'corpus'> {
  /**
   * Corpora by the names of their addresses: an open one (`Corpus`, `PostgresCorpus`), several as
   * one (`joinCorpora`, which have no passages to list or write), or the path of a folder, which
   * the server opens and closes. Names have letters, digits, `.`, `_` and `-`. May be omitted with
   * a `folder`.
   */
  corpora?: Readonly<Record<string, StoredCorpus | SearchableCorpus | string>> | undefined;
  /**
   * A folder whose corpora, `NAME.asof`, are served by name too, and in which, with `write`,
   * requests create and drop corpora; it is made if it is missing. One server at a time has it.
   * Default: none, and requests do neither.
   */
  folder?:
    | (Pick<CorpusOptions, 'encoder' | 'device' | 'concurrency' | 'lockTimeout'> & { path: string })
    | undefined;
  /** Whether passages can be added and deleted. Default false. */
  write?: boolean | undefined;
  /**
   * Bearer tokens, any of which a request must bring, of 16 characters and more. Default: none,
   * with which a server listens on loopback only.
   */
  token?: string | readonly string[] | undefined;
  /**
   * System of questions that name none, as `createSystem` has it: it gets `settings`; `model`,
   * `read`, `reranker`, `extractor` and `timeWeights` are for all systems. Default 'hybrid'.
   */
  system?: string | undefined;
  /** Origins, such as 'https://app.example.com', whose pages may call the server. Default: none. */
  cors?: readonly string[] | undefined;
  /** Path under which `fetch` is mounted, where it sees the whole path: '/api/asof'. Default ''. */
  basePath?: string | undefined;
  limits?: ServerLimits | undefined;
  /**
   * Receives a record of each request once it has ended. It holds no text of any request. An error
   * that it throws is an uncaught exception.
   */
  log?: ((record: RequestLog) => void) | undefined;
}

/** One request, for a log. */
export interface RequestLog {
  /** When it began, in ISO 8601. */
  time: string;
  request_id: string;
  method: string;
  /** The route's pattern, without the ids and names of the path. */
  route: string;
  /** Of the answer; 499 if the client went before it had all of it. */
  status: number;
  ms: number;
  /** Of the answer's body. */
  bytes: number;
  /** Code, and for statuses from 500 the message of what went wrong inside. */
  error?: string | undefined;
}

const optionNames: readonly (keyof CorpusServerOptions)[] = [
  'corpora',
  'folder',
  'write',
  'token',
  'system',
  'settings',
  'model',
  'read',
  'reranker',
  'question',
  'extractor',
  'timeWeights',
  'cors',
  'basePath',
  'limits',
  'log',
];

export interface CheckedOptions extends Omit<CorpusServerOptions, 'token' | 'limits'> {
  corpora: NonNullable<CorpusServerOptions['corpora']>;
  write: boolean;
  tokens: readonly string[];
  cors: readonly string[];
  basePath: string;
  limits: Limits;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkServerOptions(options: CorpusServerOptions): CheckedOptions {
  checkOptionNames('corpusServer', options, optionNames);
  const { folder, corpora = {}, write = false, token, cors = [], ...others } = options;
  const { basePath = '', log, limits = {} } = others;
  mustBe('an object', { corpora, limits, ...(folder === undefined ? {} : { folder }) });
  if (folder === undefined || options.corpora !== undefined) checkNames(Object.keys(corpora));
  if (typeof write !== 'boolean') throw invalidArgument('write', 'a boolean', write);
  if (log !== undefined) mustBe('a function', { log });
  checkOrigins(cors);
  if (typeof basePath !== 'string' || !/^(?:\/[\w.~-]+)*$/.test(basePath))
    throw invalidArgument('basePath', "a path such as '/api/asof'", basePath);
  return {
    ...options,
    corpora,
    write,
    tokens: checkTokens(token),
    cors,
    basePath,
    limits: checkLimits(limits),
  };
}

export const isServedName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,99}$/.test(name);

/** @throws AsOfError ERR_INVALID_ARGUMENT for names that addresses cannot have */
export function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw invalidArgument('corpora', 'corpora by name', {});
  const wrong = names.find((name) => !isServedName(name));
  if (wrong !== undefined)
    throw invalidArgument(
      'the name of a corpus',
      'letters, digits, ".", "_" and "-", at most 100',
      wrong,
      'Give it a name of its own: NAME=DIR on the command line.',
    );
}

function checkOrigins(cors: readonly string[]): void {
  mustBe('an array', { cors });
  const wrong = cors.find((each) => !URL.canParse(each) || new URL(each).origin !== each);
  if (wrong !== undefined)
    throw invalidArgument(
      'cors',
      "origins such as 'https://app.example.com', without a path",
      wrong,
      'Name each site; a wildcard would open the corpora to all of them.',
    );
}
