// Whether the outcome of an operation is one that the model allows.
import assert from 'node:assert/strict';
import type { Outcome, View } from './messages.js';
import { Model, type Content } from './model.js';
import type { Simulation } from './simulation.js';
import type { Running, SimulatedThread } from './threads.js';

export function checkOutcome(
  { model, now }: Pick<Simulation, 'model' | 'now'>,
  thread: SimulatedThread,
  running: Running,
  { error, value }: Outcome,
): void {
  const { operation } = running;
  const handle = thread.handles[operation.handle]!;
  if (error) checkError(running, error, now);
  else checkValue(model, running, value);
  // A call that had nothing to change rests on the commits before it.
  const isWriting = /^(?:add|delete|update)$/.test(operation.kind);
  // The merge after a write may fail in silence: what it commits is then not acknowledged.
  const isMergeDoubtful = /^(?:add|update|alter)$/.test(operation.kind) && running.isFaulty;
  const isWritten = running.change !== undefined || operation.kind === 'alter';
  const commits = isMergeDoubtful ? running.commits.slice(0, isWritten ? 1 : 0) : running.commits;
  if (!error && (isWriting || commits.length > 0))
    model.acknowledged = Math.max(model.acknowledged, running.from, ...commits);
  if (operation.kind === 'open' && !error)
    Object.assign(handle, { isOpen: true, readOnly: operation.readOnly, isDoubtful: false });
  if (operation.kind === 'hold' && !error) handle.held = value as number;
  if (operation.kind === 'hold' && error) handle.held = undefined;
  if (operation.kind === 'release') handle.held = undefined;
  if (operation.kind === 'close' || running.isClosed)
    Object.assign(handle, { isOpen: false, held: undefined });
}

const lockTimeout = 300;

function checkError(
  { operation, isDoubtful, isFaulty, isAborted, isClosed, startedAt, from }: Running,
  { code, message }: NonNullable<Outcome['error']>,
  now: number,
): void {
  const isWriting = /^(?:open|add|delete|update|alter|compact|fuse|restore)$/.test(operation.kind);
  const isAllowed =
    (code === 'ERR_STORAGE' && (isFaulty || (isWriting && isDoubtful))) ||
    (code === 'ERR_ABORTED' && isAborted) ||
    (code === 'ERR_CLOSED' && isClosed) ||
    (code === 'ERR_CORPUS_LOCKED' && isWriting && now - startedAt >= lockTimeout) ||
    (code === 'ERR_NOT_FOUND' && operation.kind === 'open' && operation.readOnly && from === 0);
  assert.ok(isAllowed, `${operation.kind} failed: ${code} ${message}`);
}

function checkValue(model: Model, running: Running, value: unknown): void {
  const { operation, from, change } = running;
  const contents = (): Content[] => {
    const all: Content[] = [];
    for (let generation = from; generation <= model.generation; generation += 1)
      all.push(model.contentAt(generation) ?? new Map());
    return all;
  };
  switch (operation.kind) {
    case 'get': {
      const allowed = contents().map((content) => content.get(operation.number) ?? null);
      assert.ok(
        allowed.includes(value as number | null),
        `got ${String(value)} of ${allowed.join(' ')}`,
      );
      return;
    }
    case 'has': {
      const allowed = contents().map((content) => content.has(operation.number));
      assert.ok(
        allowed.includes(value as boolean),
        `has: ${String(value)} of ${allowed.join(' ')}`,
      );
      return;
    }
    case 'add':
    case 'delete':
    case 'update': {
      const changes = change ? [change] : contents().map((each) => Model.change(operation, each));
      const allowed = changes.filter((each) => each.isChange === (change !== undefined));
      assert.ok(
        allowed.some(({ result }) => JSON.stringify(result) === JSON.stringify(value)),
        `${operation.kind} returned ${JSON.stringify(value)}`,
      );
      return;
    }
    case 'restore':
      assert.ok(change, 'restored without a commit');
      assert.deepEqual(value, { passages: operation.content.length, continued: true });
      return;
    case 'info': {
      const { generation, passages } = value as { generation: number; passages: number };
      assert.ok(generation >= from && generation <= model.generation, 'generation');
      assert.equal(passages, model.contentAt(generation)!.size);
      return;
    }
    case 'backup':
    case 'content':
    case 'search': {
      const view = value as View;
      assert.ok(view.generation >= from && view.generation <= model.generation, 'generation');
      model.check(view);
      return;
    }
    case 'past':
    case 'contentHeld':
    case 'searchHeld':
      model.check(value as View);
      return;
    case 'hold':
      assert.ok((value as number) >= from && (value as number) <= model.generation);
      return;
    default:
  }
}
