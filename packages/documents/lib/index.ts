// Entry point of `@asof/documents`: documents of folders and files as passages.
export { beirMetadata, beirPassage, beirTime } from './beir.js';
export { chunk } from './chunk.js';
export { inputFiles, type FileOptions, type InputFile } from './files.js';
export { readCsv, type CsvOptions } from './csv.js';
export { parquetRows, type ParquetOptions } from './parquet.js';
export { InputReport } from './inputReport.js';
export { readDocuments, type InputOptions } from './readDocuments.js';
