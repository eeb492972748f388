// Public entry @asof/postgres: a corpus in PostgreSQL.
export type { PostgresInfo } from './info.js';
export type { PostgresOptions } from './options.js';
export { PostgresCorpus } from './postgresCorpus.js';
export type { VectorIndexOptions } from './vectorIndex.js';
