// Layout of TEMPO's data in a folder: PART/DOMAIN as published (documents/law.parquet, or
// documents/law/0000.parquet as converted by the hub), or DOMAIN/PART (law/documents.jsonl,
// law/examples_dev.jsonl).
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { AsOfError } from 'asof';
import { invalidArgument } from 'asof/kit';
import { rowEndings } from './rows.js';
import { tempoDomains } from './names.js';

/** The standard parts; others are queries reworded by a model. */
export const tempoParts = ['documents', 'examples', 'steps', 'guidance'] as const;

/** Splits, as file names end in them. */
export const tempoSplits = ['train', 'dev', 'validation', 'test'] as const;
export type TempoSplit = (typeof tempoSplits)[number];

export interface TempoFolder {
  path: string;
  /** In the order of `tempoDomains`, others after them. */
  domains: readonly string[];
  /**
   * The files of a part of a domain, in the order of shards and splits; may be empty.
   */
  files(part: string, domain: string): readonly string[];
  /** The parts of all domains. */
  parts: readonly string[];
}

const layout =
  'documents/DOMAIN.parquet, examples/DOMAIN.parquet and steps/DOMAIN.parquet (or .jsonl, ' +
  '.json), as published, or DOMAIN/documents.jsonl and so on';

/**
 * The contents of a folder. `domains` selects domains, which may be others than TEMPO's; of files
 * with a split only those of `split` are used, if it is named. Errors: ERR_NOT_FOUND for a missing
 * folder, domain or split, and for documents without examples if no domains are named;
 * ERR_INVALID_INPUT for a domain unknown to TEMPO.
 */
export async function tempoFolder(
  path: string,
  domains?: readonly string[],
  split?: TempoSplit,
): Promise<TempoFolder> {
  if (typeof path !== 'string' || path === '')
    throw invalidArgument('folder', 'the path of a folder with TEMPO data', path);
  if (domains !== undefined && (!Array.isArray(domains) || domains.length === 0))
    throw invalidArgument('domains', 'some domains', domains);
  if (split !== undefined && !tempoSplits.includes(split))
    throw invalidArgument('split', tempoSplits.join(', '), split);
  const found = new Map<string, Map<string, string[]>>(); // part -> domain -> files
  const splits = new Set<string>();
  const add = (part: string, domain: string, file: string): void => {
    const ofPart = found.get(part) ?? new Map<string, string[]>();
    found.set(part, ofPart.set(domain, [...(ofPart.get(domain) ?? []), file]));
  };
  for (const { folder, name, file } of await filesBelow(path)) {
    const named = partOf(name);
    if (!named) continue;
    if (named.split !== undefined) splits.add(named.split);
    if (split !== undefined && named.split !== undefined && named.split !== split) continue;
    const swapped = tempoParts.find((part) => named.name === part);
    if (swapped !== undefined && !(tempoParts as readonly string[]).includes(folder))
      add(swapped, folder, file);
    else add(folder, named.name, file);
  }
  if (split !== undefined && !splits.has(split)) {
    const others = splits.size === 0 ? 'none' : [...splits].sort().join(', ');
    throw notFound(
      path,
      `Expected files of the split ${split} (examples_${split}) in ${path}, found ${others}. ` +
        'Name one of the folder, or none.',
    );
  }
  const having = [...(found.get('examples')?.keys() ?? [])];
  if (having.length === 0)
    throw notFound(
      path,
      `Expected TEMPO data at ${path}, found no examples in it. It has ${layout}.`,
    );
  const alone = [...(found.get('documents')?.keys() ?? [])].find(
    (domain) => !having.includes(domain),
  );
  if (domains === undefined && alone !== undefined) {
    const message = `Expected examples of the domain ${alone} in ${path}, which has documents of it, found none.`;
    throw notFound(
      path,
      `${message} Fetch examples/${alone}.parquet too, or name the domains to read.`,
    );
  }
  for (const ofPart of found.values())
    for (const [domain, files] of ofPart) ofPart.set(domain, oneEnding(files));
  return {
    path: resolve(path),
    domains: sortDomains(selectDomains(path, having, domains)),
    files: (part, domain) => found.get(part)?.get(domain) ?? [],
    parts: [...found]
      .filter(([, ofPart]) => having.some((domain) => ofPart.has(domain)))
      .map(([part]) => part)
      .sort(),
  };
}

function selectDomains(
  path: string,
  having: readonly string[],
  domains: readonly string[] | undefined,
): readonly string[] {
  const known: readonly string[] = tempoDomains;
  if (domains === undefined) {
    const other = having.find((domain) => !known.includes(domain));
    if (other === undefined) return having;
    const message = `Expected the domains of TEMPO (${known.join(', ')}) in ${path}, received ${JSON.stringify(other)}.`;
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `${message} Name the domains to read, including your own.`,
      {
        details: { folder: path, domain: other },
      },
    );
  }
  const missing = domains.find((domain) => !having.includes(domain));
  if (missing === undefined) return [...new Set(domains)];
  throw notFound(
    path,
    `Expected the domain ${JSON.stringify(missing)} in ${path}, found ${sortDomains(having).join(', ')}. Name some of these.`,
  );
}

function sortDomains(domains: readonly string[]): string[] {
  const place = (domain: string): number =>
    (tempoDomains as readonly string[]).indexOf(domain) + 1 || Infinity;
  return [...domains].sort((a, b) =>
    place(a) === place(b) ? (a < b ? -1 : 1) : place(a) - place(b),
  );
}

const splitEnding = new RegExp(`_(${tempoSplits.join('|')})$`);

/** The part of `law`, `law-00000-of-00002` and `examples_dev`, without shard, and its split. */
function partOf(file: string): { name: string; split?: string } | undefined {
  const ending = rowEndings.find((each) => file.endsWith(`.${each}`));
  if (ending === undefined) return undefined;
  const name = basename(file, `.${ending}`).replace(/-\d{5}-of-\d{5}$/, '');
  const split = splitEnding.exec(name)?.[1];
  return split === undefined ? { name } : { name: name.replace(splitEnding, ''), split };
}

/** The files of the preferred format, of those in several formats. */
function oneEnding(files: readonly string[]): string[] {
  const ending = rowEndings.find((each) => files.some((file) => file.endsWith(`.${each}`)))!;
  return files.filter((file) => file.endsWith(`.${ending}`)).sort();
}

interface Found {
  folder: string;
  /** Of the file, or with its ending of the folder of its shards. */
  name: string;
  /** Its path. */
  file: string;
}

async function filesBelow(path: string): Promise<Found[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw notFound(
      path,
      `Expected a folder with TEMPO data at ${path}, found none. It has ${layout}.`,
      cause,
    );
  });
  const found: Found[] = [];
  for (const folder of foldersOf(entries)) {
    const inside = await readdir(join(path, folder), { withFileTypes: true });
    for (const { name } of inside.filter((entry) => !entry.isDirectory()))
      found.push({ folder, name, file: join(path, folder, name) });
    for (const domain of foldersOf(inside))
      for (const shard of await readdir(join(path, folder, domain)))
        if (/^\d{4}\.\w+$/.test(shard))
          found.push({
            folder,
            name: `${domain}${extname(shard)}`,
            file: join(path, folder, domain, shard),
          });
  }
  return found;
}

const foldersOf = (entries: readonly Dirent[]): string[] =>
  entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();

function notFound(folder: string, message: string, cause?: unknown): AsOfError {
  return new AsOfError('ERR_NOT_FOUND', message, {
    details: { folder },
    cause,
  });
}

/** The error for a part that a domain lacks. */
export function missingPart({ path }: TempoFolder, part: string, domain: string): AsOfError {
  const message = `Expected ${part} of the domain ${domain} in ${path}, found none. Fetch ${part}/${domain}.parquet too.`;
  return new AsOfError('ERR_NOT_FOUND', message, { details: { folder: path, part, domain } });
}
