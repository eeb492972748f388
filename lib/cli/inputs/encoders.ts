// Encoders, rerankers and readers that --encoder, --reranker and --reader name: embedded, from a
// file, from a server, or ONNX from a folder or a hub.
import { stat } from 'node:fs/promises';
import { AsOfError } from '../../errors.js';
import type { Pooling } from '../../models/onnx/messages.js';
import { onnxEncoder, type OnnxEncoderOptions } from '../../models/onnx/onnxEncoder.js';
import { onnxReader, type OnnxReader } from '../../models/onnx/onnxReader.js';
import { onnxReranker } from '../../models/onnx/onnxReranker.js';
import type { ModelLocation, RunSettings } from '../../models/onnx/options.js';
import { httpReranker } from '../../models/httpReranker.js';
import { openAiCompatibleEncoder } from '../../models/openAiCompatibleEncoder.js';
import { adaptedEncoder } from '../../vectors/adapter.js';
import { checkNamedEncoder, withEncode, type Encoder } from '../../vectors/encoder.js';
import type { Reranker } from '../../vectors/reranker.js';
import { staticEncoder } from '../../vectors/staticEncoder.js';
import {
  countOption,
  option,
  UsageError,
  type Invocation,
  type Arguments,
  type OptionSpec,
} from '../command.js';
import { rerankerKey, serverKey, serverUrl, serverOption } from '../options/server.js';

const onnxForms =
  'onnx:FOLDER or onnx:OWNER/NAME[@REVISION], a model in ONNX format in a folder or on the ' +
  'Hugging Face hub (#FILE for one of several .onnx files)';

const rerankerForms =
  `${onnxForms}, or cohere:NAME on the server of --base-url (cohere:NAME@URL on another), which ` +
  "has Cohere's rerank protocol as Jina, vLLM and llama.cpp have; tei:NAME likewise, of Hugging " +
  "Face's text-embeddings-inference";

/** Prompts of ONNX encoders and of those on a server. */
const prefixOptions = {
  'query-prefix': {
    value: 'TEXT',
    group: 'encoder',
    help:
      'of an encoder onnx:... or openai:...: text before each question, such as "query: " or an ' +
      "instruction; default the folder's prompt, none of a server",
  },
  'passage-prefix': {
    value: 'TEXT',
    group: 'encoder',
    help: 'of the same: text before each passage; the same default',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Options of an ONNX encoder: those that its folder lacks. */
const onnxOptions = {
  pooling: {
    value: 'P',
    group: 'encoder',
    help: "of an ONNX encoder: mean, cls (first token) or last (token); default the folder's",
  },
  'max-tokens': {
    value: 'N',
    group: 'encoder',
    help: "of an ONNX encoder: tokens read of a text, default and at most the model's",
  },
  threads: {
    value: 'N',
    group: 'encoder',
    help: 'of an ONNX encoder: threads, 1 to 64, default 1',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Options of every command that encodes text. */
export const encoderOptions: Readonly<Record<string, OptionSpec>> = {
  encoder: {
    value: 'E',
    group: 'encoder',
    help:
      `encoder of passages and questions: default (embedded), ${onnxForms}, openai:NAME on the ` +
      'server of --base-url (openai:NAME@URL on another), a file such as ' +
      'models/default-encoder.bin, or adapter:FILE of asof train adapter (adapter:FILE,E over ' +
      'the encoder E)',
  },
  ...prefixOptions,
  ...onnxOptions,
  'base-url': serverOption,
};

/** Option of commands whose systems may rerank. */
export const rerankerOption: OptionSpec = {
  value: 'R',
  group: 'encoder',
  help:
    `cross-encoder of hybrid, mrag, mrag+official, dense+rerank and bm25+rerank: ${rerankerForms}. Its ` +
    'key: ASOF_RERANKER_API_KEY',
};

/** Option of commands that read answers. */
export const readerOption: OptionSpec = {
  value: 'R',
  group: 'model',
  help: `extractive question-answering model of --read extract in place of the built-in one: ${onnxForms}`,
};

/** Whether --encoder or --reranker names a model on the server of --base-url. */
function usesBaseUrl(invocation: Arguments): boolean {
  return (
    /(?:^|,)openai:(?!.*@https?:)/s.test(option(invocation, 'encoder') ?? '') ||
    /^(?:cohere|tei):(?!.*@https?:)/s.test(option(invocation, 'reranker') ?? '')
  );
}

/** Whether the encoder of --encoder takes milliseconds for a text. */
export function isSlow(invocation: Invocation): boolean {
  return /(?:^|,)(?:onnx|openai):/.test(option(invocation, 'encoder') ?? '');
}

/** Opens the encoder of --encoder; undefined for the embedded one. */
export async function openEncoder(invocation: Invocation): Promise<Encoder | undefined> {
  const named = option(invocation, 'encoder');
  if (
    option(invocation, 'base-url') !== undefined &&
    option(invocation, 'model') === undefined &&
    !usesBaseUrl(invocation)
  ) {
    throw new UsageError(
      '--base-url needs the name of a model on that server: --encoder openai:NAME, or ' +
        '--model NAME or --reranker cohere:NAME where a command has it.',
    );
  }
  const isGiven = (name: string): boolean => option(invocation, name) !== undefined;
  const stray = Object.keys(onnxOptions).find(isGiven);
  if (stray !== undefined && !/(?:^|,)onnx:/.test(named ?? ''))
    throw new UsageError(
      `--${stray} is an option of an ONNX encoder: use it with --encoder onnx:FOLDER.`,
    );
  const prefix = Object.keys(prefixOptions).find(isGiven);
  if (prefix !== undefined && !/(?:^|,)(?:onnx|openai):/.test(named ?? ''))
    throw new UsageError(
      `--${prefix} is an option of an encoder with prompts: use it with --encoder onnx:FOLDER or ` +
        'openai:NAME.',
    );
  return named === undefined || named === 'default' ? undefined : encoderNamed(named, invocation);
}

/** Options of --encoder onnx:..., whose values `onnxEncoder` checks further. */
const onnxChoices = (
  invocation: Invocation,
): Pick<OnnxEncoderOptions, keyof RunSettings | 'pooling' | 'prefixes'> => ({
  prefixes: prefixesOf(invocation),
  pooling: option(invocation, 'pooling') as Pooling | undefined,
  maxTokens: countOption(invocation, 'max-tokens'),
  threads: countOption(invocation, 'threads'),
});

const prefixesOf = (invocation: Invocation): { query?: string; passage?: string } => ({
  query: option(invocation, 'query-prefix'),
  passage: option(invocation, 'passage-prefix'),
});

async function encoderNamed(named: string, invocation: Invocation): Promise<Encoder> {
  if (named.startsWith('onnx:'))
    return opened(named, invocation, (location) =>
      onnxEncoder({ ...location, ...onnxChoices(invocation) }),
    );
  if (named.startsWith('openai:')) return encoderOfServer(named, invocation);
  if (named.startsWith('vectors:')) return encoderOfVectors(named);
  if (!named.startsWith('adapter:'))
    return staticEncoder(named === 'default' ? {} : { model: named });
  const [, file, base = 'default'] = /^adapter:([^,]*)(?:,(.+))?$/s.exec(named)!;
  if (!file)
    throw new UsageError(
      `--encoder adapter:FILE needs the path of a file, received ${JSON.stringify(named)}.`,
    );
  return adaptedEncoder(await encoderNamed(base, invocation), file);
}

/** The name of a model whose vectors come with the passages. */
function encoderOfVectors(named: string): Encoder {
  const [, id, dimensions] = /^vectors:(.+),(\d+)$/s.exec(named) ?? [];
  if (id === undefined)
    throw new UsageError(
      `--encoder ${named} needs the name of a model and the length of its vectors: vectors:NAME,384.`,
    );
  return withEncode(
    checkNamedEncoder({ id, dimensions: Number(dimensions) }),
    'the passages of your file',
  );
}

async function encoderOfServer(named: string, invocation: Invocation): Promise<Encoder> {
  const { baseURL, model } = onServer('encoder', named, invocation);
  return openAiCompatibleEncoder({
    baseURL,
    model,
    prefixes: prefixesOf(invocation),
    ...serverKey(),
    signal: invocation.signal,
  });
}

/** The model and the server of PROTOCOL:NAME or PROTOCOL:NAME@URL. */
function onServer(
  name: 'encoder' | 'reranker',
  named: string,
  invocation: Invocation,
): { protocol: string; model: string; baseURL: string; isOnBaseUrl: boolean } {
  const [, protocol, model, url] = /^(\w+):(.*?)(?:@(https?:.*))?$/s.exec(named)!;
  if (!model)
    throw new UsageError(
      `--${name} ${protocol}:NAME needs the name of a model, received ${JSON.stringify(named)}.`,
    );
  const baseURL = url ?? serverUrl(invocation);
  if (baseURL === undefined)
    throw new UsageError(
      `--${name} ${named} needs the server that has it: --base-url URL, or ` +
        `${protocol}:${model}@URL.`,
    );
  return { protocol: protocol!, model, baseURL, isOnBaseUrl: url === undefined };
}

/** Opens the cross-encoder of --reranker, if present. */
export async function openReranker(invocation: Invocation): Promise<Reranker | undefined> {
  const named = option(invocation, 'reranker');
  if (named === undefined) return undefined;
  if (named.startsWith('onnx:'))
    return opened(named, invocation, (location) => onnxReranker(location));
  if (!/^(?:cohere|tei):/.test(named))
    throw new UsageError(`--reranker must be ${rerankerForms}; received ${JSON.stringify(named)}.`);
  const { protocol, isOnBaseUrl, ...server } = onServer('reranker', named, invocation);
  return httpReranker({
    ...server,
    ...rerankerKey(isOnBaseUrl),
    protocol: protocol as 'cohere' | 'tei',
  });
}

/** Opens the extractive model of --reader, if present. */
export async function openReader(invocation: Invocation): Promise<OnnxReader | undefined> {
  const named = option(invocation, 'reader');
  if (named === undefined) return undefined;
  if (!named.startsWith('onnx:'))
    throw new UsageError(`--reader must be ${onnxForms}; received ${JSON.stringify(named)}.`);
  return opened(named, invocation, (location) => onnxReader(location));
}

async function opened<Model>(
  named: string,
  { terminal, signal }: Invocation,
  open: (location: ModelLocation) => Promise<Model>,
): Promise<Model> {
  const { place, revision, file } = parts(named);
  const ofFile = file === undefined ? {} : { file };
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  // A folder comes first: a name of two words may be both.
  if (isFolder || !/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/.test(place)) {
    if (revision !== undefined)
      throw new UsageError(
        `A revision is of a model on a hub, OWNER/NAME; received ${JSON.stringify(named)}.`,
      );
    return open({ path: place, ...ofFile, signal });
  }
  const bar = terminal.progress(`downloading ${place}`, 'MB');
  const megabytes = (count: number): number => count / 1e6;
  const token = process.env['HF_TOKEN'];
  try {
    return await open({
      hub: place,
      ...ofFile,
      revision,
      ...(token ? { token } : {}),
      signal,
      onProgress: ({ done, total }) =>
        bar.update({ done: megabytes(done), total: megabytes(total) }),
    });
  } catch (error) {
    if (!AsOfError.is(error) || !['ERR_NOT_FOUND', 'ERR_DOWNLOAD_FAILED'].includes(error.code))
      throw error;
    throw new AsOfError(
      error.code,
      `${error.message} (${place} is no folder here, so it was taken as a model's name on a hub.)`,
      { cause: error, details: error.details },
    );
  } finally {
    bar.end();
  }
}

/** FOLDER#FILE or OWNER/NAME@REVISION#FILE. */
function parts(named: string): {
  place: string;
  revision: string | undefined;
  file: string | undefined;
} {
  const [, before, file] = /^onnx:(.*?)(?:#([^#]*\.onnx))?$/s.exec(named)!;
  const [, name, revision] = /^([\w.-]+\/[\w.-]+)@([^@]+)$/.exec(before!) ?? [
    undefined,
    before,
    undefined,
  ];
  if (!name) throw new UsageError(`A model is ${onnxForms}; received ${JSON.stringify(named)}.`);
  return { place: name, revision, file };
}
