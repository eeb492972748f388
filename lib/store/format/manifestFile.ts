// The manifest's file: read again only where another commit replaced it, written by rename.
import { fileBytes, NewFile, readFile, renameFile, syncFiles, syncFolder } from './files.js';
import type { CorpusFolder } from './folder.js';
import {
  headBytes,
  manifestText,
  maxManifestBytes,
  readManifest,
  type Manifest,
} from './manifest.js';

export class ManifestFile {
  private known: { head: Buffer; manifest: Manifest } | undefined;
  /** The newest generation that this handle knows to be on disk. */
  private synced = 0;

  constructor(private readonly folder: CorpusFolder) {}

  /**
   * The manifest of the newest commit of any process; undefined if there is none. Its checksum and
   * invariants are checked.
   * @throws AsOfError ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT, ERR_STORAGE
   */
  read(): Manifest | undefined {
    const { manifest: path, path: corpus } = this.folder;
    const head = readFile(path, headBytes);
    if (!head) return undefined;
    // The first line has the generation and the checksum of all that follows.
    if (this.known?.head.equals(head)) return this.known.manifest;
    const content = readFile(path, maxManifestBytes + 1);
    if (!content) return undefined;
    const manifest = readManifest(content, corpus);
    this.known = { head: Buffer.from(content.subarray(0, headBytes)), manifest };
    return manifest;
  }

  /**
   * Commits, with the new files that the manifest names: on disk once it resolves. Only the holder
   * of the lock may call it.
   */
  async write(manifest: Manifest, files: readonly NewFile[] = []): Promise<void> {
    const { manifest: path, segments } = this.folder;
    const next = await NewFile.write(`${path}.next`, manifestText(manifest));
    await syncFiles([...files, next], files.length > 0 ? segments : undefined);
    await renameFile(next.path, path);
    this.synced = manifest.generation;
  }

  /**
   * Makes the newest commit durable: its writer may have died between the rename and the sync.
   * To be called before anything rests on it that a power cut would keep.
   */
  async sync(): Promise<void> {
    const generation = this.read()?.generation ?? 0;
    if (this.synced >= generation) return;
    await syncFolder(this.folder.path);
    this.synced = generation;
  }

  get bytes(): number {
    return fileBytes(this.folder.manifest);
  }
}
