export interface CorpusFolder {
    path: string;
    manifest: string;
    lock: string;
    segments: string;
}
export declare function corpusFolder(path: string): CorpusFolder;
/**
 * Whether the folder is a corpus; if not, whether one can be created there. Creates the folders
 * with `create`.
 * @throws AsOfError ERR_NOT_FOUND; ERR_CORPUS_FOREIGN (a file, or a folder of other content, to be
 * opened); ERR_CORPUS_EXISTS (a folder of other content, in which a corpus was to be created);
 * ERR_CORPUS_CORRUPT (segments without a manifest: a new one would have them removed as orphans)
 */
export declare function prepareFolder(folder: CorpusFolder, create: boolean): 'corpus' | 'new';
/**
 * Creates the folders of a copy of a corpus, which must be new or empty.
 * @throws AsOfError ERR_INVALID_ARGUMENT for the corpus itself or a folder in it;
 * ERR_CORPUS_EXISTS; ERR_CORPUS_FOREIGN for a file; ERR_STORAGE
 */
export declare function prepareCopy(copy: CorpusFolder, corpus: CorpusFolder): void;
/** @throws AsOfError ERR_INVALID_ARGUMENT for the corpus itself or a folder in it */
export declare function checkApart(copy: CorpusFolder, corpus: CorpusFolder): void;
