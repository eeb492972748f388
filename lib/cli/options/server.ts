// The server that --base-url names, for the language model of --model and the vectors of --encoder
// openai:. Keys come from the environment alone: arguments are seen by every user of the machine.
import { option, type Arguments, type OptionSpec } from '../command.js';

export const serverOption: OptionSpec = {
  type: 'string',
  value: 'URL',
  help:
    'an OpenAI-compatible server, with its version: http://127.0.0.1:8080/v1; default OPENAI_BASE_URL; its key is read from ASOF_API_KEY, ' +
    'else OPENAI_API_KEY',
};

/** --base-url, else the environment's; undefined where there is neither. */
export function serverUrl(invocation: Arguments): string | undefined {
  return option(invocation, 'base-url') ?? nonEmpty('OPENAI_BASE_URL');
}

/** The key for the options of an adapter; none where the environment has none. */
export function serverKey(): { apiKey?: string } {
  const apiKey = nonEmpty('ASOF_API_KEY') ?? nonEmpty('OPENAI_API_KEY');
  return apiKey === undefined ? {} : { apiKey };
}

function nonEmpty(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}
