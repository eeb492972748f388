import { NewFile } from './files.js';
import type { CorpusFolder } from './folder.js';
import { type Manifest } from './manifest.js';
export declare class ManifestFile {
    private readonly folder;
    private known;
    /** Of the corpus that was read first. */
    private corpusId;
    /** The newest commit that this handle knows to be on disk. */
    private synced;
    constructor(folder: CorpusFolder);
    /**
     * The manifest of the newest commit of any process; undefined if there is none. Its checksum and
     * invariants are checked.
     * @throws AsOfError ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT, ERR_STORAGE;
     * ERR_CORPUS_REPLACED if it is of another corpus than the one that was read first
     */
    read(): Manifest | undefined;
    /**
     * Commits, with the new files that the manifest names: on disk once it resolves. Only the holder
     * of the lock may call it. `before` is the commit that it replaces, if any: another one stays.
     * One that is damaged is replaced, whatever it is.
     * @throws AsOfError ERR_STORAGE, ERR_CORPUS_REPLACED
     */
    write(manifest: Manifest, before: Pick<Manifest, 'generation'> | 'damaged' | undefined, files?: readonly NewFile[]): Promise<void>;
    /**
     * Makes the newest commit durable: its writer may have died between the rename and the sync.
     * To be called before anything rests on it that a power cut would keep.
     */
    sync(): Promise<void>;
    get bytes(): number;
}
