// OpenTelemetry: spans and metrics of the library's operations, for an application that has
// registered an SDK. The global that the API's own copies share is read; nothing is imported.
import { AsOfError } from '../errors.js';
import { installedVersion } from './installation.js';

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue | undefined>;

/** What is used of a span, a tracer and a meter of the API, all of it there since API 1.3. */
export interface Span {
  isRecording(): boolean;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}
export interface Tracer {
  startActiveSpan<Result>(
    name: string,
    options: { kind: number; attributes: Attributes },
    run: (span: Span) => Result,
  ): Result;
}
export interface Histogram {
  record(value: number, attributes: Attributes): void;
}
export interface Meter {
  createHistogram(
    name: string,
    options: { unit: string; description: string; advice: { explicitBucketBoundaries: number[] } },
  ): Histogram;
}
/** What SDKs register: the part of each provider that is used. */
export interface TelemetryApi {
  trace?: { getTracer(name: string, version: string): Tracer };
  metrics?: { getMeter(name: string, version: string): Meter };
}

/** The place of the providers, by which all copies of major version 1 of the API find them. */
const registry = Symbol.for('opentelemetry.js.api.1');
const scope = 'asof';
let version: string | undefined;
/** Of the API's enumerations, which are part of its interface. */
const [kindInternal, kindClient, statusError] = [0, 2, 2];

/** Attributes of an operation's start that are dimensions of its metrics: few values each. */
const dimensions = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.data_source.id',
];

/** An operation that a span shows. */
export interface Operation<Result> {
  /** Name of the span: of few values, never of what a user wrote. */
  name: string;
  /** Known at the start. With `gen_ai.operation.name` it is a client's, with metrics. */
  attributes?: Attributes;
  /** Known at the end. */
  outcome?: (result: Result) => Attributes;
  /** What users wrote or stored, recorded only where they opt in; without a result if it failed. */
  content?: (result: Result | undefined) => Attributes;
}

/** Records duration and tokens of GenAI operations; without an SDK only runs the work. */
export function observe<Result>(
  operation: Operation<Result>,
  work: () => Promise<Result> | Result,
): Promise<Result> | Result {
  const api = (globalThis as { [registry]?: TelemetryApi })[registry];
  if (!api?.trace && !api?.metrics) return work();
  const { name, attributes = {} } = operation;
  const kind = 'gen_ai.operation.name' in attributes ? kindClient : kindInternal;
  version ??= installedVersion();
  const meter = api.metrics?.getMeter(scope, version);
  const run = (span?: Span): Promise<Result> => observed(operation, work, { meter, span });
  if (!api.trace) return run();
  return api.trace.getTracer(scope, version).startActiveSpan(name, { kind, attributes }, run);
}

async function observed<Result>(
  { attributes = {}, outcome, content }: Operation<Result>,
  work: () => Promise<Result> | Result,
  { meter, span }: { meter: Meter | undefined; span: Span | undefined },
): Promise<Result> {
  const started = performance.now();
  let ended: Attributes = {};
  let result: Result | undefined;
  try {
    result = await work();
    ended = outcome?.(result) ?? {};
    return result;
  } catch (error) {
    ended = { 'error.type': errorType(error) };
    // Messages quote what they refuse.
    const message = capturesContent() && error instanceof Error ? { message: error.message } : {};
    span?.setStatus({ code: statusError, ...message });
    throw error;
  } finally {
    if (span?.isRecording()) {
      span.setAttributes(ended);
      if (content && capturesContent()) span.setAttributes(content(result));
    }
    span?.end();
    if (meter && 'gen_ai.operation.name' in attributes)
      record(meter, performance.now() - started, attributes, ended);
  }
}

/** Class of an error: the code of an AsOfError, else its name. */
function errorType(error: unknown): string {
  if (AsOfError.is(error)) return error.code;
  return error instanceof Error && error.name !== '' ? error.name : '_OTHER';
}

/** Whether users opted in: the values of instrumentations that record content on spans. */
function capturesContent(): boolean {
  const value = process.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'];
  return /^(?:true|span_only|span_and_event)$/i.test(value ?? '');
}

/** The histograms of a meter; SDKs warn of instruments that are created again and again. */
const instruments = new WeakMap<Meter, { duration: Histogram; tokens: Histogram }>();

function instrumentsOf(meter: Meter): { duration: Histogram; tokens: Histogram } {
  let known = instruments.get(meter);
  if (!known) {
    const powers = (of: number, from: number, count: number): number[] =>
      Array.from({ length: count }, (_, i) => from * of ** i);
    known = {
      duration: meter.createHistogram('gen_ai.client.operation.duration', {
        unit: 's',
        description: 'Duration of GenAI operations',
        advice: { explicitBucketBoundaries: powers(2, 0.01, 14) },
      }),
      tokens: meter.createHistogram('gen_ai.client.token.usage', {
        unit: '{token}',
        description: 'Input and output tokens of GenAI operations',
        advice: { explicitBucketBoundaries: powers(4, 1, 14) },
      }),
    };
    instruments.set(meter, known);
  }
  return known;
}

function record(meter: Meter, ms: number, attributes: Attributes, ended: Attributes): void {
  const { duration, tokens } = instrumentsOf(meter);
  const common = Object.fromEntries(
    dimensions.flatMap((name) =>
      attributes[name] === undefined ? [] : [[name, attributes[name]]],
    ),
  );
  const error = ended['error.type'];
  duration.record(ms / 1000, error === undefined ? common : { ...common, 'error.type': error });
  for (const type of ['input', 'output']) {
    const count = ended[`gen_ai.usage.${type}_tokens`];
    if (typeof count === 'number') tokens.record(count, { ...common, 'gen_ai.token.type': type });
  }
}

/**
 * The call of a model. Of an id such as `openai:gpt-4.1-mini` the provider is what comes before the
 * first colon, and the model the rest; without a colon the provider is asof, which runs it.
 */
export function modelCall(
  operation: 'chat' | 'embeddings',
  id: string,
  attributes: Attributes,
): { name: string; attributes: Attributes } {
  const colon = id.indexOf(':');
  const model = id.slice(colon > 0 ? colon + 1 : 0);
  return {
    name: `${operation} ${model}`,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': colon > 0 ? id.slice(0, colon) : scope,
      'gen_ai.request.model': model,
      ...attributes,
    },
  };
}
