// Limits and tokens of servers, as options and the environment give them.
import { countOption, type Invocation, type OptionSpec } from 'asof/command';
import type { ServerLimits } from '../http/limits.js';

export const limitOptions = {
  'time-limit': {
    value: 'SECONDS',
    help: 'of a request that does not write, its body and the taking of its answer; default 60',
    group: 'limit',
  },
  'in-flight': {
    value: 'N',
    help: 'requests at a time, until their answers are taken, default 128; further ones get 503',
    group: 'limit',
  },
  'body-limit': { value: 'MB', help: 'of a JSON body, default 8', group: 'limit' },
  'answer-limit': { value: 'MB', help: 'of an answer, default 16', group: 'limit' },
  'buffer-limit': {
    value: 'MB',
    help: 'of all JSON bodies and answers at a time, default 256',
    group: 'limit',
  },
  connections: {
    value: 'N',
    help: 'open at a time, default 1,024 or half of the files that the process may open',
    group: 'limit',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export function limitsOf(invocation: Invocation): ServerLimits {
  const count = (name: string, most: number): number | undefined =>
    countOption(invocation, name, { most });
  const bytes = (name: string, most: number): number | undefined => {
    const megabytes = count(name, most);
    return megabytes === undefined ? undefined : megabytes * 1_000_000;
  };
  return {
    seconds: count('time-limit', 86_400),
    inFlight: count('in-flight', 100_000),
    bodyBytes: bytes('body-limit', 1000),
    answerBytes: bytes('answer-limit', 1000),
    bufferBytes: bytes('buffer-limit', 1_000_000),
    connections: count('connections', 100_000),
  };
}

/** Of ASOF_TOKEN, not of an option: every user of a machine can see arguments. */
export function tokensOfEnvironment(): string[] {
  return (process.env['ASOF_TOKEN'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
