// Options --encoder and --reranker: embedded, from a file, from a server, or ONNX from a folder or
// a hub.
import { option, type Arguments, type Invocation, type OptionSpec } from '../command.js';
import { serverOption } from './server.js';

export const onnxForms =
  'onnx:FOLDER or onnx:OWNER/NAME[@REVISION], a model in ONNX format in a folder or on the ' +
  'Hugging Face hub (#FILE for one of several .onnx files)';

export const rerankerForms =
  `${onnxForms}, or cohere:NAME on the server of --base-url (cohere:NAME@URL on another), which ` +
  "has Cohere's rerank protocol as Jina, vLLM and llama.cpp have; tei:NAME likewise, of Hugging " +
  "Face's text-embeddings-inference";

/** Prompts of ONNX encoders and of those on a server. */
export const prefixOptions = {
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
export const onnxOptions = {
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
    `cross-encoder of mrag, mrag+official, dense+rerank and bm25+rerank: ${rerankerForms}. Its ` +
    'key: ASOF_RERANKER_API_KEY',
};

/** Whether --encoder or --reranker names a model on the server of --base-url. */
export function usesBaseUrl(invocation: Arguments): boolean {
  return (
    /(?:^|,)openai:(?!.*@https?:)/s.test(option(invocation, 'encoder') ?? '') ||
    /^(?:cohere|tei):(?!.*@https?:)/s.test(option(invocation, 'reranker') ?? '')
  );
}

/** Whether the encoder of --encoder takes milliseconds for a text. */
export function isSlow(invocation: Invocation): boolean {
  return /(?:^|,)(?:onnx|openai):/.test(option(invocation, 'encoder') ?? '');
}
