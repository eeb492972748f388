// Option --schema of commands whose corpus can be in PostgreSQL.
import type { OptionSpec } from '../command.js';

export const postgresHelp =
  'postgres://USER@HOST:PORT/DATABASE, several servers between commas; the password is that of ' +
  'PGPASSWORD or ~/.pgpass, since others can read a command line';

export const schemaOption: OptionSpec = {
  value: 'NAME',
  help: `of a corpus in PostgreSQL, default asof; its DIR is ${postgresHelp}`,
};
