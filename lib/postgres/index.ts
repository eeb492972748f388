// Public entry asof/postgres: a corpus in PostgreSQL.
export { PostgresCorpus, type PostgresOptions } from './postgresCorpus.js';
