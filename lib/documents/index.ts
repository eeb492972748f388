// Entry point of `@asof/documents`: documents of folders and files as passages.
export { chunk } from './chunk.js';
export { parquetRows, type ParquetOptions } from './parquet.js';
