// Option --base-url: the server of --model, --encoder openai:NAME and --reranker cohere:NAME.
// API keys come from the environment only, as every user of a machine can see arguments.
import { option, type Arguments, type OptionSpec } from '../command.js';

export const serverOption: OptionSpec = {
  value: 'URL',
  group: 'model',
  help:
    'an OpenAI-compatible server, such as http://127.0.0.1:8080/v1; default: the variable ' +
    'OPENAI_BASE_URL. Its key: ASOF_API_KEY or OPENAI_API_KEY',
};

/** --base-url, else OPENAI_BASE_URL, else undefined. */
export function serverUrl(invocation: Arguments): string | undefined {
  return option(invocation, 'base-url') ?? nonEmpty('OPENAI_BASE_URL');
}

/** The API key as options of a model adapter, from ASOF_API_KEY or OPENAI_API_KEY. */
export function serverKey(): { apiKey?: string } {
  const apiKey = nonEmpty('ASOF_API_KEY') ?? nonEmpty('OPENAI_API_KEY');
  return apiKey === undefined ? {} : { apiKey };
}

/**
 * The API key of a reranker: ASOF_RERANKER_API_KEY, else, on the server of --base-url, the key of
 * that server. No other server receives that one.
 */
export function rerankerKey(isOnBaseUrl: boolean): { apiKey?: string } {
  const apiKey = nonEmpty('ASOF_RERANKER_API_KEY');
  return apiKey === undefined ? (isOnBaseUrl ? serverKey() : {}) : { apiKey };
}

function nonEmpty(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}
