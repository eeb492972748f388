// A simulated disk: names and files as processes see them, and what of both a power cut leaves.
// Contents are files of a scratch folder, which the addon maps and writes.
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Random } from './random.js';

/** Failure of a call, as the system would name it. */
export class Failure extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

export interface File {
  kind: 'file';
  number: number;
  /** Its content, in the scratch folder. */
  content: string;
  /** Whether a power cut keeps the content. */
  isSynced: boolean;
  /** Whether the system dropped content when a sync failed: a later sync does not save it. */
  isLost: boolean;
}

export interface Folder {
  kind: 'folder';
  names: Names;
  /** Names that a power cut keeps. */
  durable: Names;
  /** Changes since the last sync, of which a power cut keeps any. */
  changes: ((names: Names) => void)[];
}

type Names = Map<string, File | Folder>;

const newFolder = (): Folder => ({
  kind: 'folder',
  names: new Map(),
  durable: new Map(),
  changes: [],
});

const sectorBytes = 512;

export class Disk {
  private root = newFolder();
  private files = 0;
  private readonly locks = new Map<File, number>();

  constructor(
    private readonly random: Random,
    private readonly scratch: string,
  ) {}

  /** The same disk with all names on it, and contents of its own in another folder. */
  copy(random: Random, scratch: string): Disk {
    const disk = new Disk(random, scratch);
    const files = new Map<File, File>();
    const copied = (entry: File | Folder): File | Folder => {
      if (entry.kind === 'folder') {
        const names = new Map(Array.from(entry.names, ([name, each]) => [name, copied(each)]));
        return { kind: 'folder', names, durable: new Map(names), changes: [] };
      }
      const content = join(scratch, basename(entry.content));
      if (!files.has(entry)) {
        copyFileSync(entry.content, content);
        files.set(entry, { ...entry, content, isSynced: true });
      }
      return files.get(entry)!;
    };
    disk.root = copied(this.root) as Folder;
    disk.files = this.files;
    return disk;
  }

  find(path: string): File | Folder | undefined {
    let found: File | Folder | undefined = this.root;
    for (const name of path.split('/').filter((each) => each !== ''))
      found = found?.kind === 'folder' ? found.names.get(name) : undefined;
    return found;
  }

  /** What is there to be read, or a file that was not there. */
  open(path: string, use: 'read' | 'create' | 'folder'): File | Folder {
    const found = this.find(path);
    if (use === 'create' && found) throw new Failure('EEXIST');
    if (use !== 'create' && !found) throw new Failure('ENOENT');
    return found ?? this.create(path);
  }

  sync(entry: File | Folder): void {
    if (entry.kind === 'folder') {
      entry.durable = new Map(entry.names);
      entry.changes = [];
    } else if (!entry.isLost) entry.isSynced = true;
  }

  makeFolder(path: string): void {
    if (this.find(path)) throw new Failure('EEXIST');
    const [parent, name] = this.parentOf(path);
    const folder = newFolder();
    this.change(parent, (names) => void names.set(name, folder));
  }

  makeTemporaryFolder(): string {
    const path = `/temporary-${(this.files += 1)}`;
    this.makeFolder(path);
    return path;
  }

  rename(from: string, to: string): void {
    const entry = this.find(from);
    if (!entry) throw new Failure('ENOENT');
    const [parent, oldName] = this.parentOf(from);
    const [, newName] = this.parentOf(to);
    this.change(parent, (names) => {
      if (names.get(oldName) === entry) names.delete(oldName);
      names.set(newName, entry);
    });
  }

  link(from: string, to: string): void {
    const entry = this.find(from);
    if (!entry) throw new Failure('ENOENT');
    if (this.find(to)) throw new Failure('EEXIST');
    const [parent, name] = this.parentOf(to);
    this.change(parent, (names) => void names.set(name, entry));
  }

  remove(path: string): void {
    const [parent, name] = this.parentOf(path);
    if (!parent.names.has(name)) throw new Failure('ENOENT');
    this.change(parent, (names) => void names.delete(name));
  }

  list(path: string): string[] {
    const found = this.find(path);
    if (!found) throw new Failure('ENOENT');
    if (found.kind === 'file') throw new Failure('ENOTDIR');
    return [...found.names.keys()];
  }

  /** Whether the thread has the lock now; nobody has it twice. */
  lock(path: string, thread: number): boolean {
    const file = (this.find(path) ?? this.create(path)) as File;
    if (this.locks.has(file)) return false;
    this.locks.set(file, thread);
    return true;
  }

  unlock(thread: number): void {
    for (const [file, holder] of this.locks) if (holder === thread) this.locks.delete(file);
  }

  /** Leaves what a power cut leaves; all threads have to be dead. */
  cutPower(): void {
    const kept = this.random.pick([0, 0.5, 1]);
    const contents = new Set<string>();
    const visit = (folder: Folder): void => {
      for (const change of folder.changes) if (this.random.chance(kept)) change(folder.durable);
      folder.names = new Map(folder.durable);
      folder.changes = [];
      for (const entry of folder.names.values()) {
        if (entry.kind === 'folder') visit(entry);
        else {
          if (!entry.isSynced) this.tear(entry);
          contents.add(entry.content);
        }
      }
    };
    visit(this.root);
    this.locks.clear();
    for (const name of readdirSync(this.scratch))
      if (!contents.has(join(this.scratch, name))) rmSync(join(this.scratch, name));
  }

  private create(path: string): File {
    const [parent, name] = this.parentOf(path);
    const number = (this.files += 1);
    const content = join(this.scratch, String(number));
    writeFileSync(content, '');
    const file: File = { kind: 'file', number, content, isSynced: false, isLost: false };
    this.change(parent, (names) => void names.set(name, file));
    return file;
  }

  private change(folder: Folder, change: (names: Names) => void): void {
    change(folder.names);
    folder.changes.push(change);
  }

  private parentOf(path: string): [Folder, string] {
    const at = path.lastIndexOf('/');
    const parent = at === 0 ? this.root : this.find(path.slice(0, at));
    if (parent?.kind !== 'folder') throw new Failure('ENOENT');
    return [parent, path.slice(at + 1)];
  }

  /** Content that was not synced: all, a part, or sectors of zeros where some were not written. */
  private tear(file: File): void {
    const bytes = readFileSync(file.content);
    const { random } = this;
    const kind = random.pick(['whole', 'empty', 'cut', 'holes']);
    if (kind === 'holes')
      for (let at = 0; at < bytes.length; at += sectorBytes)
        if (random.chance(0.3)) bytes.subarray(at, at + sectorBytes).fill(0);
    const kept = kind === 'empty' ? 0 : kind === 'cut' ? random.below(bytes.length + 1) : undefined;
    file.content = join(this.scratch, String((this.files += 1)));
    writeFileSync(file.content, bytes.subarray(0, kept));
    file.isSynced = true;
    file.isLost = false;
  }
}
