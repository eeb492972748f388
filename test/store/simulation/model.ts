// What a corpus has to hold: the content of every commit, by generation. A power cut takes back
// commits that no call has acknowledged.
import assert from 'node:assert/strict';
import { divisors, editions, type Operation, type View } from './messages.js';

/** Versions of passages by number. */
export type Content = ReadonlyMap<number, number>;

export interface Change {
  content: Content;
  /** What the call returns. */
  result: unknown;
  isChange: boolean;
}

/** Generations that are remembered. */
const remembered = 3000;

export class Model {
  private readonly commits = new Map<number, Content>();
  /** The newest generation; 0 if there is no corpus. */
  generation = 0;
  /** The newest one that a call has acknowledged. */
  acknowledged = 0;

  contentAt(generation: number): Content | undefined {
    return this.commits.get(generation);
  }

  get content(): Content {
    return this.commits.get(this.generation) ?? new Map();
  }

  commit(generation: number, content: Content): void {
    assert.equal(generation, this.generation + 1, 'generation of the commit');
    this.generation = generation;
    this.commits.set(generation, content);
    this.commits.delete(generation - remembered);
  }

  /** After a power cut, the recovered corpus, or none: everything acknowledged is there. */
  recover(view: View | null): void {
    const generation = view?.generation ?? 0;
    assert.ok(
      generation >= this.acknowledged,
      `lost: ${this.acknowledged} acknowledged, ${generation} found`,
    );
    assert.ok(generation <= this.generation, 'a commit that nobody made');
    for (; this.generation > generation; this.generation -= 1) this.commits.delete(this.generation);
    this.acknowledged = generation;
    if (view) this.check(view);
  }

  /** A view equals its commit. */
  check({ generation, content }: View): void {
    const expected = this.commits.get(generation);
    assert.ok(expected, `generation ${generation} is of no commit`);
    const sort = (versions: Iterable<[number, number]>) => [...versions].sort(([a], [b]) => a - b);
    assert.deepEqual(sort(content), sort(expected.entries()), `generation ${generation}`);
  }

  /** What a writing operation makes of a content. */
  static change(operation: Operation, before: Content): Change {
    const content = new Map(before);
    if (operation.kind === 'add') {
      const result = { added: 0, replaced: 0, unchanged: 0 };
      for (const [number, version] of operation.passages) {
        const known = content.get(number);
        if (known === undefined) result.added += 1;
        else result[known === version ? 'unchanged' : 'replaced'] += 1;
        content.set(number, version);
      }
      return { content, result, isChange: !areEqual(content, before) };
    }
    if (operation.kind === 'delete') {
      for (const number of operation.numbers) content.delete(number);
      const result = before.size - content.size;
      return { content, result, isChange: result > 0 };
    }
    if (operation.kind === 'update') {
      const result = { updated: 0, unchanged: 0 };
      for (const [number, version] of before) {
        if (number % divisors[operation.time] !== 0) continue;
        const updated = (version % editions) + editions * operation.mark;
        result[updated === version ? 'unchanged' : 'updated'] += 1;
        content.set(number, updated);
      }
      return { content, result, isChange: result.updated > 0 };
    }
    if (operation.kind === 'restore') {
      const restored = new Map(operation.content);
      return { content: restored, result: undefined, isChange: true };
    }
    return { content, result: undefined, isChange: false };
  }
}

const areEqual = (a: Content, b: Content): boolean =>
  a.size === b.size && [...a].every(([number, version]) => b.get(number) === version);
