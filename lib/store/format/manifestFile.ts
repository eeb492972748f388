// The manifest's file: read again only where another commit replaced it, written by rename. It is
// that of one corpus: where another takes its place, handles that were opened before learn of it.
import { AsOfError } from '../../errors.js';
import { fileBytes, NewFile, readFile, renameFile, syncFiles, syncFolder } from './files.js';
import { fileSystem } from './fileSystem.js';
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
  /** Of the corpus that was read first. */
  private corpusId: string | undefined;
  /** The newest commit that this handle knows to be on disk. */
  private synced: Buffer | undefined;

  constructor(private readonly folder: CorpusFolder) {}

  /**
   * The manifest of the newest commit of any process; undefined if there is none. Its checksum and
   * invariants are checked.
   * @throws AsOfError ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_CORPUS_CORRUPT, ERR_STORAGE;
   * ERR_CORPUS_REPLACED if it is of another corpus than the one that was read first
   */
  read(): Manifest | undefined {
    const { manifest: path, path: corpus } = this.folder;
    const head = readFile(path, headBytes);
    if (!head) return undefined;
    // They have the generation, the checksum of all that follows, and the corpus's id.
    if (this.known?.head.equals(head)) return this.known.manifest;
    const content = readFile(path, maxManifestBytes + 1);
    if (!content) return undefined;
    const manifest = readManifest(content, corpus);
    if (manifest.id !== (this.corpusId ??= manifest.id)) throw replacedError(corpus);
    this.known = { head: Buffer.from(content.subarray(0, headBytes)), manifest };
    return manifest;
  }

  /**
   * Commits, with the new files that the manifest names: on disk once it resolves. Only the holder
   * of the lock may call it. `before` is the commit that it replaces, if any: another one stays.
   * One that is damaged is replaced, whatever it is.
   * @throws AsOfError ERR_STORAGE, ERR_CORPUS_REPLACED
   */
  async write(
    manifest: Manifest,
    before: Pick<Manifest, 'generation'> | 'damaged' | undefined,
    files: readonly NewFile[] = [],
  ): Promise<void> {
    const { manifest: path, segments } = this.folder;
    const text = manifestText(manifest);
    const next = await NewFile.write(`${path}.next`, text);
    const { identity } = fileSystem.status(next.descriptor);
    await syncFiles([...files, next], files.length > 0 ? segments : undefined);
    // The folder may have been replaced, and its lock with it: then another writer may have put a
    // next manifest of its own there.
    const isOwn = fileSystem.stat(next.path)?.identity === identity;
    const isNewest = before === 'damaged' || this.read()?.generation === before?.generation;
    if (!isOwn || !isNewest) throw replacedError(this.folder.path);
    await renameFile(next.path, path);
    this.corpusId = manifest.id;
    this.synced = Buffer.from(text).subarray(0, headBytes);
  }

  /**
   * Makes the newest commit durable: its writer may have died between the rename and the sync.
   * To be called before anything rests on it that a power cut would keep.
   */
  async sync(): Promise<void> {
    this.read();
    const { head } = this.known ?? {};
    if (!head || this.synced?.equals(head)) return;
    await syncFolder(this.folder.path);
    this.synced = head;
  }

  get bytes(): number {
    return fileBytes(this.folder.manifest);
  }
}

const replacedError = (path: string): AsOfError =>
  new AsOfError(
    'ERR_CORPUS_REPLACED',
    `Expected the corpus that was opened at ${path}, found another or none in its place. ` +
      'Close this handle, and open the corpus again.',
  );
