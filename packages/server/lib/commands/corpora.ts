// The corpora of `asof serve` and `asof mcp`, by the names that they are served under.
import { basename, resolve } from 'node:path';
import { corpusChoice, option, UsageError, type Invocation } from 'asof/command';
import type { StoredCorpus } from 'asof';

export const namesHelp =
  'DIR is a corpus, served by the name of its folder (without .asof), or NAME=DIR.';

/** Folders, or URLs of servers, by the names of their corpora. */
export function foldersOf({ positionals, strings }: Invocation): Map<string, string> {
  const folders = new Map<string, string>();
  const [schema = 'asof'] = strings['schema'] ?? [];
  for (const each of positionals) {
    const [, name, folder] = /^([\w.-]+)=(.+)$/s.exec(each) ?? [
      undefined,
      corpusChoice.isServer(each) ? schema : basename(resolve(each)).replace(/\.asof$/, ''),
      each,
    ];
    if (folders.has(name))
      throw new UsageError(
        `Two corpora have the name ${name}: give one another name, NAME=${folder}.`,
      );
    folders.set(name, folder);
  }
  return folders;
}

export interface OpenedCorpora extends AsyncDisposable {
  byName: Record<string, StoredCorpus>;
}

export async function openCorpora(
  folders: ReadonlyMap<string, string>,
  invocation: Invocation,
  access: Parameters<typeof corpusChoice.openStored>[1],
): Promise<OpenedCorpora> {
  const byName: Record<string, StoredCorpus> = {};
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(byName).map((each) => each.close()));
  };
  try {
    for (const [name, folder] of folders)
      byName[name] = await corpusChoice.openStored(
        folder,
        access,
        corpusChoice.isServer(folder) ? option(invocation, 'schema') : undefined,
      );
  } catch (error) {
    await close();
    throw error;
  }
  return { byName, [Symbol.asyncDispose]: close };
}
