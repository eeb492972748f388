import type { OutputFile, Segment } from '../../../binding.js';
import { AsOfError } from '../../errors.js';
/**
 * Whether an error leaves open which names are on disk: of a folder's sync, or of a rename that the
 * system did not plainly refuse. A new file whose sync failed is written again.
 */
export declare const leavesDoubt: (error: unknown) => error is AsOfError;
/** A file's content up to a length; undefined if there is none. @throws AsOfError ERR_STORAGE */
export declare function readFile(path: string, bytes: number): Uint8Array | undefined;
/** A file that is written but may be lost in a power cut until `syncFiles`. */
export declare class NewFile implements OutputFile {
    readonly path: string;
    readonly descriptor: number;
    private isOpen;
    private constructor();
    /**
     * Writes a file, by the addon, from memory or in pieces. An existing one of its name is replaced
     * and not written to, since a backup may have it under another name.
     * @throws AsOfError ERR_STORAGE, and what the addon or the pieces throw
     */
    static write(path: string, content: string | Uint8Array | AsyncIterable<Uint8Array> | ((file: OutputFile) => Promise<void>)): Promise<NewFile>;
    sync(): Promise<void>;
    close(): void;
    discard(): void;
    /** Kilobytes into the page cache: only the sync waits for the disk. */
    private append;
}
/** A file open for reading; its content stays when its name is gone. Close it when done. */
export declare class OpenFile {
    readonly path: string;
    private readonly descriptor;
    readonly bytes: number;
    private readonly identity;
    private constructor();
    /** Undefined if there is none. @throws AsOfError ERR_STORAGE */
    static open(path: string): OpenFile | undefined;
    /** Bytes [offset, offset + count), fewer at the end of the file. @throws AsOfError ERR_STORAGE */
    read(offset: number, count: number): Uint8Array;
    /** All of it, in pieces. @throws AsOfError ERR_STORAGE, ERR_ABORTED */
    pieces(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array>;
    /** Whether both have the same bytes. @throws AsOfError ERR_STORAGE, ERR_ABORTED */
    hasContentOf(other: OpenFile, signal: AbortSignal | undefined): Promise<boolean>;
    /**
     * Gives the file one more name. False where the system refuses (another file system, or one
     * without hard links), or where its own name is gone or is another file's by now.
     */
    linkTo(path: string): boolean;
    close(): void;
}
/**
 * Makes files and names in their folder durable, all at once: a journal commits them together.
 * Closes the files.
 */
export declare function syncFiles(files: readonly NewFile[], folder?: string): Promise<void>;
/** A reader sees the one file or the other, and so does whoever comes after a power cut. */
export declare function renameFile(from: string, to: string): Promise<void>;
/** Makes the names of a folder's files durable. */
export declare function syncFolder(path: string): Promise<void>;
/** Makes the names on the way to a path durable. */
export declare function syncParents(path: string): Promise<void>;
/** Removes a file if it is there. False if it cannot be removed: it stays as an orphan. */
export declare function removeFile(path: string): boolean;
/** Names in a folder; undefined if there is none. @throws AsOfError ERR_STORAGE */
export declare function fileNames(path: string): string[] | undefined;
/** Maps a segment file. @throws AsOfError ERR_NOT_FOUND, ERR_CORPUS_CORRUPT, ERR_STORAGE */
export declare const mapFile: (path: string) => Segment;
/**
 * Maps a file that `write` writes, of no name any more: a mapping outlives it.
 * @throws AsOfError ERR_STORAGE, and what the addon throws
 */
export declare function mapTemporaryFile(write: (file: OutputFile) => Promise<void>): Promise<Segment>;
/** Size in bytes; 0 if there is no such file. */
export declare const fileBytes: (path: string) => number;
/** A path without symbolic links, as far as it exists. */
export declare const realPath: (path: string) => string;
/** ERR_CORPUS_CORRUPT, as of every file and section that is not what was written. */
export declare const corrupt: (expected: string, found: string, cause?: unknown) => AsOfError;
