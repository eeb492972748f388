// What the runs of a paper's cells need, and what is there in its place: data, encoder, reranker,
// language model, judge, trained weights. A stand-in is what runs instead of what the paper names.
import type { Encoder, TextModel } from 'asof';
import type { Reranker } from 'asof/models';
import { needsReranker } from 'asof/kit';
import { systemNames, systemUses } from 'asof/papers';
import type { LocatedData } from './data/data.js';
import type { LocatedTempo } from './data/tempo.js';
import type { PaperRun, PlannedCell } from './tables.js';

export interface Provisions {
  data: ReadonlyMap<string, LocatedData>;
  tempo: LocatedTempo;
  /** Undefined for the embedded one. */
  encoder: Encoder | undefined;
  reranker: Reranker | undefined;
  model: TextModel | undefined;
  /** File of a time encoder's weights. */
  weights: string | undefined;
  /** A corpus of Wikipedia's passages, which TempRAGEval's questions are then asked of. */
  wiki: string | undefined;
  /** Lines of a page's title and its monthly views. */
  views: string | undefined;
}

export interface Need {
  kind: 'data' | 'encoder' | 'reranker' | 'model' | 'judge' | 'weights';
  /** As the paper or the table's file names it. */
  name: string;
  is: 'there' | 'stand-in' | 'missing';
  /** What is there, or how to get it. */
  by: string;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** A model that was given for one that the paper names. */
const given = (kind: Need['kind'], name: string, id: string): Need => ({
  kind,
  name,
  is: plain(id).includes(plain(name)) ? 'there' : 'stand-in',
  by: id,
});

const standIn = (kind: Need['kind'], name: string, by: string): Need => ({
  kind,
  name,
  is: 'stand-in',
  by,
});
const missing = (kind: Need['kind'], name: string, by: string): Need => ({
  kind,
  name,
  is: 'missing',
  by,
});

/** Readers that have nothing to show without a model. */
const promptedModes: readonly (string | undefined)[] = ['direct', 'chainOfThought', 'selfMrag'];

/** What a run needs, each with what is there. */
export function needsOf(run: PaperRun, provisions: Provisions): Need[] {
  const { encoder, reranker, model, weights } = provisions;
  const { system = '', read, settings = {} } = run;
  const needs: Need[] = [];
  const data = dataNeed(run, provisions);
  if (data) needs.push(data);
  if (run.encoder !== undefined)
    needs.push(
      encoder
        ? given('encoder', run.encoder, encoder.id)
        : standIn('encoder', run.encoder, 'the embedded encoder'),
    );
  if (run.reranker !== undefined)
    needs.push(
      reranker
        ? given('reranker', run.reranker, reranker.id)
        : needsReranker(system)
          ? missing('reranker', run.reranker, '--reranker')
          : standIn('reranker', run.reranker, "the encoder's cosine"),
    );
  const asked = run.reformulator ?? run.model;
  if (asked !== undefined) {
    const rules = run.reformulator === undefined && !promptedModes.includes(read?.mode);
    needs.push(
      model
        ? given('model', asked, model.id)
        : rules
          ? standIn('model', asked, 'rules')
          : missing('model', asked, '--model'),
    );
  } else if (systemNames.includes(system) && systemUses(system, { settings }).model && model)
    needs.push(given('model', model.id, model.id));
  if (run.judge !== undefined)
    needs.push(model ? given('judge', run.judge, model.id) : standIn('judge', run.judge, 'rules'));
  if (run.weights !== undefined)
    needs.push(
      weights !== undefined
        ? { kind: 'weights', name: run.weights, is: 'there', by: weights }
        : encoder
          ? missing('weights', run.weights, '--weights, which `asof train re3` makes')
          : standIn('weights', run.weights, "the package's weights"),
    );
  return needs;
}

function dataNeed(run: PaperRun, { data, tempo }: Provisions): Need | undefined {
  if (run.set !== undefined) {
    const name = run.set.split(' ')[0]!;
    const found = data.get(name);
    return found?.folder === undefined
      ? missing('data', name, found?.missing.join('; ') ?? 'unknown')
      : { kind: 'data', name, is: 'there', by: found.label };
  }
  if (run.task === undefined && run.count === undefined) return undefined;
  const name = run.release ?? 'tempo';
  const found = name === 'reteco' ? tempo.reteco : tempo.tempo;
  return found
    ? { kind: 'data', name, is: 'there', by: found.label }
    : missing('data', name, tempo.missing[name]);
}

/** A planned cell with what its run needs. */
export interface ResolvedCell extends PlannedCell {
  needs: Need[];
  /** Why it is not run: nothing would run it, something is missing, or another cell is that run. */
  why?: string;
  /** Whether it is left out as the run of another cell. */
  repeated?: true;
}

/** Which cells of a table run. Of cells that one stand-in would run alike, one does. */
export function resolveCells(
  cells: readonly PlannedCell[],
  provisions: Provisions,
): ResolvedCell[] {
  const resolved = cells.map((cell): ResolvedCell => {
    const needs = needsOf(cell.run, provisions);
    const lacking = needs.filter(({ is }) => is === 'missing');
    const why =
      cell.run.cannot ??
      (lacking.length > 0
        ? lacking.map(({ kind, by }) => `needs its ${kind}: ${by}`).join('; ')
        : isComplete(cell.run)
          ? undefined
          : 'no run is on file for it');
    return { ...cell, needs, ...(why === undefined ? {} : { why }) };
  });
  const alike = new Map<string, ResolvedCell[]>();
  for (const cell of resolved)
    if (cell.why === undefined) {
      const key = actualRun(cell);
      alike.set(key, [...(alike.get(key) ?? []), cell]);
    }
  for (const same of alike.values()) {
    const best =
      same.find(({ needs }) => needs.every(({ is }) => is === 'there')) ??
      same.find(({ run }) => run.stands) ??
      same[0]!;
    for (const cell of same)
      if (cell !== best && !cell.needs.every(({ is }) => is === 'there')) {
        const where = cell.row === best.row ? best.column : best.row;
        cell.why = `what is there would run it as ${where}`;
        cell.repeated = true;
      }
  }
  return resolved;
}

const isComplete = ({ set, task, count, example, system, metric, context }: PaperRun): boolean =>
  example !== undefined ||
  count !== undefined ||
  ((set !== undefined || task !== undefined) &&
    metric !== undefined &&
    (system !== undefined || context !== undefined));

/** What runs, whatever the paper's names of it. */
function actualRun({ run, needs }: ResolvedCell): string {
  const names: readonly (keyof PaperRun)[] = [
    'encoder',
    'reranker',
    'model',
    'judge',
    'weights',
    'stands',
    'reformulator',
  ];
  const rest = Object.entries(run).filter(([name]) => !names.includes(name as keyof PaperRun));
  return JSON.stringify([rest.sort(), needs.map(({ kind, by }) => [kind, by])]);
}
