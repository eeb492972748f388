// Configuration of a published model folder: files, maximum length, pooling, prefixes.
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AsOfError, describe, invalidArgument } from '../../errors.js';
import { hubId } from '../hub/options.js';
import type { Pooling } from './messages.js';
import { createHash } from '../../runtime/digest.js';

/** Prefixes of texts as in training: "query: ", "passage: ". */
export interface Prefixes {
  query?: string | undefined;
  passage?: string | undefined;
}

export function checkPrefixes(prefixes: Prefixes): Prefixes {
  if (typeof prefixes !== 'object' || prefixes === null)
    throw invalidArgument('prefixes', 'an object { query?, passage? }', prefixes);
  for (const kind of ['query', 'passage'] as const) {
    const prefix: unknown = prefixes[kind];
    if (prefix !== undefined && typeof prefix !== 'string')
      throw invalidArgument(`prefixes.${kind}`, 'a string', prefix);
  }
  return prefixes;
}

/** Configuration of a model folder. */
export interface ModelFolder {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | undefined;
  /** Readable type, layers and width: `bert-6x384`. */
  architecture: string;
  maxTokens: number;
  padId: number;
  typeCount: number;
}

export interface EncoderFolder extends ModelFolder {
  pooling: Pooling;
  prefixes: Required<Prefixes>;
  /** Undefined if not configured. */
  dimensions: number | undefined;
}

export interface ModelChoices {
  /** The model file, from the folder on; default onnx/model.onnx, else model.onnx. */
  file?: string | undefined;
  maxTokens?: number;
}

export interface EncoderChoices extends ModelChoices {
  pooling?: Pooling;
  prefixes?: Prefixes;
}

type Fields = Record<string, unknown>;

/** Default model files, in order of preference. */
export const modelFiles = ['onnx/model.onnx', 'model.onnx'] as const;

const files = `config.json, tokenizer.json and ${modelFiles.join(' or ')}`;

/** @throws AsOfError ERR_NOT_FOUND, ERR_INVALID_INPUT, ERR_INVALID_ARGUMENT */
export async function readModelFolder(path: string, choices: ModelChoices): Promise<ModelFolder> {
  await checkFolder(path);
  const config = (await readFields(join(path, 'config.json'), true))!;
  const tokenizerConfigFile = join(path, 'tokenizer_config.json');
  const tokenizerConfig = await readFields(tokenizerConfigFile);
  const sentence = await readFields(join(path, 'sentence_bert_config.json'));
  const padId = number(config.pad_token_id) ?? 0;
  return {
    modelFile: await findFile(path, choices.file === undefined ? modelFiles : [choices.file]),
    tokenizerFile: await findFile(path, ['tokenizer.json']),
    tokenizerConfigFile: tokenizerConfig && tokenizerConfigFile,
    architecture: architectureOf(config),
    maxTokens: maxTokensOf(choices.maxTokens, config, tokenizerConfig, sentence, padId),
    padId,
    typeCount: Math.max(1, number(config.type_vocab_size) ?? 2),
  };
}

/** The same for a sentence encoder, with pooling and prefixes. */
export async function readEncoderFolder(
  path: string,
  choices: EncoderChoices,
): Promise<EncoderFolder> {
  const model = await readModelFolder(path, choices);
  const config = await readFields(join(path, 'config.json'), true);
  const pooling = await readFields(join(path, '1_Pooling', 'config.json'));
  const prompts = (await readFields(join(path, 'config_sentence_transformers.json')))?.prompts as
    | Fields
    | undefined;
  return {
    ...model,
    pooling: choices.pooling ?? poolingOf(pooling, path),
    prefixes: {
      query: choices.prefixes?.query ?? text(prompts?.query) ?? '',
      passage: choices.prefixes?.passage ?? text(prompts?.passage) ?? text(prompts?.document) ?? '',
    },
    dimensions:
      number(pooling?.word_embedding_dimension) ??
      number(config!.hidden_size) ??
      number(config!.dim),
  };
}

/** Architecture and a hash of the files and `choices`: the same in any folder. */
export async function identity(model: ModelFolder, choices: unknown): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(choices));
  // A large model has external weights: model.onnx_data, model.onnx.data.
  const [folder, file] = [dirname(model.modelFile), basename(model.modelFile)];
  const beside = (await readdir(folder))
    .filter((name) => name.startsWith(file) && /^(?:$|[._]data)/.test(name.slice(file.length)))
    .sort();
  for (const part of [
    ...beside.map((name) => join(folder, name)),
    model.tokenizerFile,
    model.tokenizerConfigFile,
  ]) {
    if (part === undefined) continue;
    try {
      for await (const bytes of createReadStream(part, { highWaterMark: 1 << 20 }))
        hash.update(bytes as Buffer);
    } catch (error) {
      throw unreadable(part, error);
    }
  }
  return `onnx-${model.architecture}-${hash.digest('hex').slice(0, 16)}`;
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const what = found ? 'a file' : 'nothing';
  const hub =
    !found && hubId.test(path)
      ? ' If it is the name of a model on a hub, give it as hub instead of path.'
      : '';
  const remedy = `Give the folder that holds the model's files as published (${files}).${hub}`;
  throw new AsOfError(
    'ERR_NOT_FOUND',
    `Expected path to be a model folder, received ${describe(path)}, where there is ${what}. ${remedy}`,
    {
      details: { path },
    },
  );
}

async function findFile(path: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    if ((await stat(join(path, name)).catch(() => undefined))?.isFile()) return join(path, name);
  }
  const message = `Expected ${names.join(' or ')} in ${path}, found none. The folder must hold the model's files as published: ${files}.`;
  const exporting =
    names.length > 1
      ? ' A model that is published without an ONNX file must be exported first ' +
        '(models/export/ in the repository of asof has a script for BERT ' +
        'models).'
      : '';
  throw new AsOfError('ERR_NOT_FOUND', message + exporting, { details: { path } });
}

/** A JSON object; undefined for a missing optional file. */
async function readFields(path: string, required = false): Promise<Fields | undefined> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    const absent = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (absent && !required) return undefined;
    if (!absent) throw unreadable(path, error);
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected ${basename(path)} in ${dirname(path)}, found none. The folder must hold ${files}.`,
      {
        details: { path },
      },
    );
  }
  try {
    const fields: unknown = JSON.parse(content);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return fields as Fields;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new AsOfError(
    'ERR_INVALID_INPUT',
    `Expected ${path} to be a JSON object, received other text. Fetch the model's files again.`,
    {
      details: { path },
    },
  );
}

function unreadable(path: string, error: unknown): AsOfError {
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to read ${path}, the system refused: ${(error as Error).message}. Check the file and its rights.`,
    { cause: error },
  );
}

function architectureOf(config: Fields): string {
  const type = (text(config.model_type) ?? 'model').replace(/[^\w-]+/g, '').slice(0, 40);
  const size = [
    config.num_hidden_layers ?? config.n_layers,
    config.hidden_size ?? config.dim,
  ].filter((each) => number(each) !== undefined);
  return [type, size.join('x')].filter(Boolean).join('-');
}

/** Poolings by their names in 1_Pooling/config.json, of both forms that it has. */
const poolingModes: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_lasttoken: 'last',
  mean: 'mean',
  cls: 'cls',
  lasttoken: 'last',
};

function poolingOf(config: Fields | undefined, path: string): Pooling {
  if (!config) return 'mean';
  const asked = Object.keys(config).filter(
    (key) => key.startsWith('pooling_mode_') && config[key] === true,
  );
  const modes = typeof config.pooling_mode === 'string' ? [config.pooling_mode] : asked;
  const known = Object.hasOwn(poolingModes, modes[0] ?? '') ? poolingModes[modes[0]!] : undefined;
  if (modes.length === 1 && known) return known;
  const message = `Expected ${join(path, '1_Pooling', 'config.json')} to ask for mean, CLS or last-token pooling, received ${modes.join(' and ') || 'none'}.`;
  throw new AsOfError(
    'ERR_INVALID_INPUT',
    `${message} Give pooling: 'mean', 'cls' or 'last' if the model was trained for one of them.`,
  );
}

function maxTokensOf(
  chosen: number | undefined,
  config: Fields,
  tokenizer: Fields | undefined,
  sentence: Fields | undefined,
  padId: number,
): number {
  // RoBERTa's family counts positions from padId + 1, so that its tables have that many more rows
  // than a text may have tokens.
  const shifted =
    typeof config.model_type === 'string' && /roberta|camembert|mpnet/.test(config.model_type)
      ? padId + 1
      : 0;
  const positions = number(config.max_position_embeddings);
  const most = positions === undefined ? Infinity : positions - shifted;
  if (chosen !== undefined) {
    if (chosen > most)
      throw invalidArgument(
        'maxTokens',
        `at most ${most}, the positions that the model has`,
        chosen,
      );
    return chosen;
  }
  // A shorter truncation in tokenizer.json (MiniLM: 128) is of training and is ignored.
  const told = number(sentence?.max_seq_length) ?? number(tokenizer?.model_max_length) ?? Infinity;
  const tokens = Math.min(told, most);
  return tokens < 1e6 ? tokens : 512; // "no limit" is written as 1e30 in some tokenizers' files
}

function number(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
