// The evaluation of systems as JSON, whose field names are stable, and as tables.
import type { Evaluation } from '../../evaluate.js';
import type { GroupedAverages } from '../../measures/averages.js';
import type { TempoDefinition } from '../../measures/temporal.js';
import type { System } from 'asof';
import type { modelChoice } from 'asof/command';
import { duration, whole, type Terminal, counted } from 'asof/command';
import type { Perturbation } from '../inputs/perturbation.js';
import type { RelevanceReport } from '../inputs/relevance.js';
import {
  averagesTable,
  countsOf,
  groupsJson,
  groupsTable,
  meansOf,
  tempoNote,
} from './metricTables.js';
import { robustnessTable } from './robustness.js';

export interface SystemEvaluation {
  system: System;
  evaluation: Evaluation;
  perturbed?: Perturbation;
  byGroup?: GroupedAverages;
}

/** Options of the evaluation that are reported with its figures. */
export interface ReportedOptions extends RelevanceReport {
  group_by?: string;
  tempo?: TempoDefinition;
  judge?: string;
  encoder?: string;
  exactness?: string;
  device?: string;
  model?: string;
  reranker?: string;
}

/** `asof eval --json`. */
export function evaluationJson(
  { system, evaluation, perturbed, byGroup }: SystemEvaluation,
  reported: ReportedOptions & { relevant_from: number },
  perQuery: boolean,
): Record<string, unknown> {
  const { evaluable, ...options } = reported;
  return {
    system: system.name,
    options: { ...system.options, k: evaluation.k, ...options, composition: String(system) },
    queries: evaluation.queries.length,
    ...(evaluable === undefined ? {} : { evaluable }),
    metrics: meansOf(evaluation.averages),
    averaged_over: countsOf(evaluation.averages),
    ...(byGroup ? groupsJson(byGroup) : {}),
    latency_ms: evaluation.latencyMs,
    ...(perturbed ? { perturbed } : {}),
    trace: evaluation.trace,
    ...(perQuery ? { per_query: evaluation.queries } : {}),
  };
}

/** `asof eval` for people: metrics by system, by group and under perturbation, then notes. */
export function renderEvaluations(
  evaluations: readonly SystemEvaluation[],
  names: readonly string[],
  { reported, users }: { reported: ReportedOptions; users: ReturnType<typeof modelChoice.users> },
  terminal: Terminal,
): string {
  const rows = evaluations.map(({ system, evaluation }) => ({
    label: system.name,
    averages: evaluation.averages,
    more: latencies(evaluation),
  }));
  const table =
    evaluations.length === 1
      ? averagesTable(rows, names, terminal)
      : averagesTable(rows, names, terminal, ['p50', 'p99']);
  const groups = evaluations.flatMap(({ system, byGroup }) =>
    byGroup
      ? [
          `\n${terminal.style(system.name, 'bold')}\n`,
          groupsTable(reported.group_by!, byGroup, names, terminal),
        ]
      : [],
  );
  const changes = evaluations.flatMap(({ system, perturbed }) =>
    perturbed ? [{ system, perturbed }] : [],
  );
  const robustness = changes.length === 0 ? '' : robustnessTable(changes, names, terminal);
  const notes = notesOf(evaluations, names, reported, users);
  const dimmed = notes.map((note) => `${terminal.style(note, 'dim')}\n`);
  return `${table}${groups.join('')}${robustness}\n${dimmed.join('')}`;
}

const latencies = ({ latencyMs }: Evaluation): string[] => [
  duration(latencyMs.p50),
  duration(latencyMs.p99),
];

function notesOf(
  evaluations: readonly SystemEvaluation[],
  names: readonly string[],
  reported: ReportedOptions,
  users: ReturnType<typeof modelChoice.users>,
): string[] {
  const first = evaluations[0]!.evaluation;
  const { evaluable, pool, tempo, encoder, model, reranker } = reported;
  const note = (condition: boolean, text: () => string): string[] => (condition ? [text()] : []);
  const queries = (list: readonly unknown[]): string => counted(list.length, 'query', 'queries');
  return [
    ...note(
      evaluations.length === 1,
      () => `latency of one question: ${latencies(first).join(' (p50), ')} (p99)`,
    ),
    averagedOver(first, names),
    ...note(
      evaluable !== undefined,
      () => `evaluable, with an answer in some passage: ${counted(evaluable!, 'query', 'queries')}`,
    ),
    ...note(pool !== undefined, () => `candidates limited to the pool: ${whole(pool!)} passages`),
    ...note(
      first.unjudged.length > 0 && evaluable === undefined,
      () => `without judgements, excluded from those metrics: ${queries(first.unjudged)}`,
    ),
    ...note(
      first.unasked.length > 0,
      () => `judged but not among the queries, excluded: ${queries(first.unasked)}`,
    ),
    ...note(tempo !== undefined, () => tempoNote(tempo!)),
    ...note(encoder !== undefined, () => `encoder: ${encoder}`),
    ...note(model !== undefined, () => `model, in ${users.model.join(', ')}: ${model}`),
    ...note(reranker !== undefined, () => `reranker, in ${users.reranker.join(', ')}: ${reranker}`),
    ...evaluations.map(({ system }) => `${system.name}: ${String(system)}${optionsNote(system)}`),
  ];
}

/** The number of queries, and the number that each metric is averaged over. */
function averagedOver(evaluation: Evaluation, names: readonly string[]): string {
  const groups = new Map<number, string[]>();
  for (const name of names) {
    const count = evaluation.averages[name]?.queries ?? 0;
    groups.set(count, [...(groups.get(count) ?? []), name]);
  }
  const queries = counted(evaluation.queries.length, 'query', 'queries');
  const passages = counted(evaluation.k, 'passage', 'passages');
  const over = [...groups].map(([count, group]) =>
    groups.size === 1 ? whole(count) : `${whole(count)} for ${group.join(', ')}`,
  );
  return `${queries} with ${passages} each; averages are over ${over.join('; ')}`;
}

function optionsNote(system: System): string {
  const options = Object.entries(system.options).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return options.length === 0 ? '' : ` (${options.join(', ')})`;
}
