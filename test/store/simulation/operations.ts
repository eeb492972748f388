// Random operations of a simulated thread, as its handles allow.
import type { Handle } from './threads.js';
import { editions, type Operation, type Versions, type View } from './messages.js';
import type { Random } from './random.js';

/** Numbers of passages: few, so that operations meet. */
const numbers = 26;
const marks = 3;

/** An operation that does not wait, for a handle that does. */
export function readingOperation(random: Random, handle: number): Operation {
  const kind = random.pick(['get', 'has', 'info', 'content'] as const);
  return { kind, number: random.below(numbers), handle };
}

export function nextOperation(
  random: Random,
  handles: readonly Handle[],
  {
    path,
    to,
    backups,
  }: { path: string; to: string; backups: readonly (readonly [string, View])[] },
): Operation {
  const handle = random.below(handles.length);
  const { isOpen, readOnly, held } = handles[handle]!;
  if (!isOpen) return { kind: 'open', path, readOnly: random.chance(0.3), handle };
  const reading = [
    [400, 'get'],
    [200, 'has'],
    [30, 'info'],
    [30, 'content'],
    [4, 'search'],
    [8, 'past'],
    [1, 'verify'],
    [4, 'backup'],
    [20, 'hold'],
    [10, 'close'],
    [0.5, 'fuse'],
  ] as const;
  const writing = readOnly
    ? []
    : ([
        [40, 'add'],
        [20, 'delete'],
        [20, 'update'],
        [2, 'alter'],
        [2, 'compact'],
        [backups.length > 0 ? 2 : 0, 'restore'],
      ] as const);
  const holding =
    held === undefined
      ? []
      : ([
          [20, 'contentHeld'],
          [2, 'searchHeld'],
          [10, 'release'],
        ] as const);
  const kind = random.weighted<Operation['kind']>([...reading, ...writing, ...holding]);
  const number = (): number => random.below(numbers);
  const some = <Element>(draw: () => Element): Element[] =>
    Array.from({ length: 1 + random.below(random.pick([1, 1, 3, 10])) }, draw);
  switch (kind) {
    case 'get':
    case 'has':
      return { kind, number: number(), handle };
    case 'add': {
      const passages: Versions = some(() => [number(), random.below(editions * marks)]);
      return { kind, passages, handle };
    }
    case 'update': {
      const time = random.pick(['publishedAt', 'validFrom', 'validTo'] as const);
      return { kind, time, mark: random.below(marks), handle };
    }
    case 'past':
      return { kind, draw: random.next(), handle };
    case 'backup':
      return { kind, to, handle };
    case 'restore': {
      const [backup, { content }] = random.pick(backups);
      return { kind, path, backup, content, handle };
    }
    case 'delete':
      return { kind, numbers: some(number), handle };
    default:
      return { kind, handle } as Operation;
  }
}
