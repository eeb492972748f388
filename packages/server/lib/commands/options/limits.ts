// Options of what a server takes, does and holds at the same time.
import type { OptionSpec } from 'asof/command';

export const limitOptions = {
  'time-limit': {
    type: 'string',
    value: 'SECONDS',
    help: 'of a request that does not write, its body and the taking of its answer; default 60',
    group: 'limit',
  },
  'in-flight': {
    type: 'string',
    value: 'N',
    help: 'requests at a time, until their answers are taken, default 128; further ones get 503',
    group: 'limit',
  },
  'body-limit': { type: 'string', value: 'MB', help: 'of a JSON body, default 8', group: 'limit' },
  'answer-limit': { type: 'string', value: 'MB', help: 'of an answer, default 16', group: 'limit' },
  'buffer-limit': {
    type: 'string',
    value: 'MB',
    help: 'of all JSON bodies and answers at a time, default 256',
    group: 'limit',
  },
  connections: {
    type: 'string',
    value: 'N',
    help: 'open at a time, default 1,024 or half of the files that the process may open',
    group: 'limit',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
