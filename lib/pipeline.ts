// Stages (named, typed steps), systems as flat, printable sequences of stages, and their runner,
// which times every stage, checks the signal between stages and collects the trace.
import { throwIfAborted } from './errors.js';
import { yieldToEventLoop } from './runtime/eventLoop.js';
import { observe } from './runtime/telemetry.js';

export interface StageContext {
  signal?: AbortSignal;
  /** Adds a note to the stage's trace entry, such as whether a model or rules answered. */
  note(key: string, value: unknown): void;
}

export interface Stage<In, Out> {
  readonly name: string;
  run(input: In, context: StageContext): Promise<Out> | Out;
}

/** One run of a stage: wall-clock time and notes (`by`: rules, or the id of the model). */
export interface TraceEntry {
  stage: string;
  milliseconds: number;
  /**
   * Processor time of the whole process during the stage, in milliseconds: all threads, concurrent
   * work included.
   */
  processorMilliseconds?: number | undefined;
  notes?: Record<string, unknown> | undefined;
}

export interface PipelineResult<Out> {
  output: Out;
  trace: TraceEntry[];
}

/** A composition of stages: runs, and prints its stages. */
export interface Pipeline<In, Out> {
  readonly name: string;
  readonly stages: readonly Stage<never, unknown>[];
  run(input: In, options?: { signal?: AbortSignal }): Promise<PipelineResult<Out>>;
  toString(): string;
}

export function stage<In, Out>(name: string, run: Stage<In, Out>['run']): Stage<In, Out> {
  return { name, run };
}

class Composition<First, In> {
  constructor(
    private readonly name: string,
    private readonly stages: readonly Stage<never, unknown>[],
  ) {}

  /** Adds a stage; the compiler checks that its input is the previous stage's output. */
  then<Out>(next: Stage<In, Out>): Composition<First, Out> {
    return new Composition<First, Out>(this.name, [...this.stages, next]);
  }

  /** Adds the stage that `make` creates from an option; false, undefined and 0 omit it. */
  thenIf<Option>(
    option: Option | false | undefined,
    make: (option: Option) => Stage<In, In>,
  ): Composition<First, In> {
    // No test for falsy values: the stage rejects other invalid options, such as NaN.
    return option === false || option === undefined || option === 0
      ? this
      : this.then(make(option));
  }

  done(): Pipeline<First, In> {
    const { name, stages } = this;
    return {
      name,
      stages,
      run: (input, options = {}) => runStages<In>(stages, input, options.signal),
      toString: () => stages.map((each) => each.name).join(' -> '),
    };
  }
}

/** `pipeline<Question>('mrag').then(decompose()).thenIf(n, rankByKeywords).done()`. */
export function pipeline<In>(name: string): Composition<In, In> {
  return new Composition<In, In>(name, []);
}

/** Runs stages in order, each on the output of the one before; the first takes `input`. */
export async function runStages<Out>(
  stages: readonly Stage<never, unknown>[],
  input: unknown,
  signal?: AbortSignal,
): Promise<PipelineResult<Out>> {
  const trace: TraceEntry[] = [];
  let value = input;
  // Usage at the end of the last stage: reading it is a slow system call.
  let used: NodeJS.CpuUsage | undefined;
  for (const each of stages) {
    // Without this, each of many concurrent questions would block the event loop until its first
    // search has begun.
    const turn = yieldToEventLoop();
    if (turn) {
      await turn;
      used = undefined;
    }
    throwIfAborted(signal);
    const notes: Record<string, unknown> = {};
    const context: StageContext = { note: (key, noted) => void (notes[key] = noted), signal };
    const [started, before] = [performance.now(), used ?? process.cpuUsage()];
    const output = value as never; // of the stage before
    value = await observe({ name: each.name }, () => each.run(output, context));
    used = process.cpuUsage();
    const processorMilliseconds = (used.user + used.system - before.user - before.system) / 1000;
    const entry: TraceEntry = {
      stage: each.name,
      milliseconds: performance.now() - started,
      processorMilliseconds,
    };
    trace.push(Object.keys(notes).length > 0 ? { ...entry, notes } : entry);
  }
  return { output: value as Out, trace };
}
