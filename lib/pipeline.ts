// A stage is a named, typed step; a system is a flat sequence of them that prints itself. The
// runner times every stage, checks the signal between stages and collects the trace. It knows
// nothing of retrieval, and no stage reports on itself.
import { throwIfAborted } from './errors.js';
import { yieldToEventLoop } from './runtime/eventLoop.js';

export interface StageContext {
  signal?: AbortSignal;
  /**
   * A stage may note what it did and which twin ran (a model or rules); it ends up in the trace.
   */
  note(key: string, value: unknown): void;
}

export interface Stage<In, Out> {
  readonly name: string;
  /** Where its paper describes it, such as "MRAG 4, figure 3". */
  readonly section?: string;
  run(input: In, context: StageContext): Promise<Out> | Out;
}

/**
 * One stage as it ran: how long it took by the clock, and what it noted (`by`: rules, or the id of
 * the model).
 */
export interface TraceEntry {
  stage: string;
  milliseconds: number;
  /**
   * Processor time of the whole process meanwhile, in milliseconds: of all its threads, and of
   * whatever else it does at that time.
   */
  processorMilliseconds?: number;
  notes?: Record<string, unknown>;
}

export interface Traced<Out> {
  output: Out;
  trace: TraceEntry[];
}

/** A composition of stages: a value that runs and prints as what it is. */
export interface Pipeline<In, Out> {
  readonly name: string;
  readonly stages: readonly Stage<never, unknown>[];
  run(input: In, options?: { signal?: AbortSignal }): Promise<Traced<Out>>;
  toString(): string;
}

export function stage<In, Out>(
  name: string,
  run: Stage<In, Out>['run'],
  section?: string,
): Stage<In, Out> {
  return section === undefined ? { name, run } : { name, run, section };
}

class Composition<First, In> {
  constructor(
    private readonly name: string,
    private readonly stages: readonly Stage<never, unknown>[],
  ) {}

  /** Adds a stage; its input must be what the one before gives, which the compiler checks. */
  then<Out>(next: Stage<In, Out>): Composition<First, Out> {
    return new Composition<First, Out>(this.name, [...this.stages, next]);
  }

  /**
   * Adds the stage that `make` makes of an option; an option that is false, undefined or 0 leaves
   * the stage out. Such a stage gives what it is given, so that the next one fits either way.
   */
  thenIf<Option>(
    option: Option | false | undefined,
    make: (option: Option) => Stage<In, In>,
  ): Composition<First, In> {
    // Not merely falsy: an option that is no number is for the stage to refuse.
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

/**
 * Opens a composition: `pipeline<Question>('mrag').then(decompose()).thenIf(n,
 * rankByKeywords).then(dense(100)).done()`.
 */
export function pipeline<In>(name: string): Composition<In, In> {
  return new Composition<In, In>(name, []);
}

async function runStages<Out>(
  stages: readonly Stage<never, unknown>[],
  input: unknown,
  signal?: AbortSignal,
): Promise<Traced<Out>> {
  const trace: TraceEntry[] = [];
  let value = input;
  // what had been used when the last stage ended: reading it takes the kernel a while
  let used: NodeJS.CpuUsage | undefined;
  for (const each of stages) {
    // Of many questions at once each would else hold the event loop until its first search has
    // begun, one after another.
    const turn = yieldToEventLoop();
    if (turn) {
      await turn;
      used = undefined;
    }
    throwIfAborted(signal);
    const notes: Record<string, unknown> = {};
    const context: StageContext = {
      note: (key, noted) => void (notes[key] = noted),
      ...(signal ? { signal } : {}),
    };
    const [started, before] = [performance.now(), used ?? process.cpuUsage()];
    value = await each.run(value as never, context);
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
