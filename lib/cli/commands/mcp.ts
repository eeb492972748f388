// Definition of `asof mcp`.
import type { Command } from '../command.js';
import { encoderOptions } from '../options/encoders.js';
import { limitOptions } from '../options/limits.js';
import { schemaOption } from '../options/postgres.js';

export const command: Command = {
  name: 'mcp',
  summary:
    'Serves a corpus as tools of agents (Model Context Protocol) on standard input and output, ' +
    'or by HTTP.',
  positionals: ['DIR'],
  options: {
    write: { type: 'boolean', help: 'also the tool that adds passages' },
    system: {
      type: 'string',
      short: 's',
      value: 'S,S',
      multiple: true,
      help: 'systems of the tool search, the first by default: hybrid,bm25,dense',
    },
    http: { type: 'boolean', help: 'serve streamable HTTP at /mcp in place of standard input' },
    port: { type: 'string', value: 'N', help: 'with --http, default 8733; 0 takes a free one' },
    host: {
      type: 'string',
      value: 'H',
      help: 'with --http, address to listen on, default 127.0.0.1: this machine alone',
    },
    ...limitOptions,
    ...encoderOptions,
    schema: schemaOption,
  },
  details:
    'tools: search, timeline, read_time, and add with --write. With ASOF_TOKEN in the ' +
    'environment each HTTP request has to bring it as a bearer token; another address ' +
    'than those of this machine needs one. Limits are those of --http, whose requests ' +
    'are logged to standard error as JSON. Ends with its input, or by SIGINT or SIGTERM.',
  example: 'asof mcp wiki.asof',
};
