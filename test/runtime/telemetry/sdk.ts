// OpenTelemetry's own SDK, registered for a test, with exporters in memory; and what tests observe.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type DataPoint,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

import type { Passage, TextModel } from '../../../lib/index.js';

export const ministers: Passage[] = [
  { id: 'may', text: 'Theresa May became prime minister of the UK on 13 July 2016.' },
  { id: 'johnson', text: 'Boris Johnson became prime minister of the UK on 24 July 2019.' },
  { id: 'sunak', text: 'Rishi Sunak became prime minister of the UK on 25 October 2022.' },
];
export const question = {
  text: 'Who was UK prime minister as of 6 May 2021?',
  askedAt: '2024-01-01',
};
/** The model of a service: it answers after a turn of the event loop. */
export const model: TextModel = {
  id: 'openai:gpt-4.1-mini',
  generate: async ({ jsonSchema }) => {
    await delay(1);
    const text = jsonSchema ? '{"answer":"Boris Johnson"}' : 'Boris Johnson';
    return { text, usage: { inputTokens: 41, outputTokens: 3 } };
  },
};

/** What a test's operations exported since the last look. */
export interface RegisteredSdk {
  /** Spans in the order of their ends. */
  spans(): ReadableSpan[];
  /** Data points of a histogram, with its unit and boundaries. */
  points(name: string): Promise<{ unit: string; points: DataPoint<Histogram>[] }>;
  shutdown(): Promise<void>;
}

export function registerSdk(): RegisteredSdk {
  const exported = new InMemorySpanExporter();
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exported)] });
  const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const metering = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 600_000 }),
    ],
  });
  let collected: MetricData[] = [];
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  return {
    spans() {
      const spans = exported.getFinishedSpans();
      exported.reset();
      return spans;
    },
    async points(name) {
      await metering.forceFlush();
      const scopes = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
      collected.push(
        ...scopes.filter(({ scope }) => scope.name === 'asof').flatMap((each) => each.metrics),
      );
      measured.reset();
      const found = collected.filter(({ descriptor }) => descriptor.name === name);
      collected = collected.filter(({ descriptor }) => descriptor.name !== name);
      return {
        unit: found[0]?.descriptor.unit ?? '',
        points: found.flatMap(({ dataPoints }) => dataPoints as DataPoint<Histogram>[]),
      };
    },
    async shutdown() {
      trace.disable();
      metrics.disable();
      context.disable();
      await tracing.shutdown();
      await metering.shutdown();
    },
  };
}

/** The span of a name. */
export function named(all: readonly ReadableSpan[], name: string): ReadableSpan {
  return all.find((span) => span.name === name) ?? assert.fail(`no span ${name}`);
}

/** The spans below a span, in the order of their starts. */
export function childrenOf(parent: ReadableSpan, spans: readonly ReadableSpan[]): ReadableSpan[] {
  return spans
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent.spanContext().spanId)
    .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
}
