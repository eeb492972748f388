// Routes as plain data, of which the router, the checks of requests and the description of the
// interface (OpenAPI) are made.
import type { askSchema } from 'asof/kit';
import type { JsonSchema } from 'asof/models';
import type { Pieces } from './answerStream.js';
import type { CheckedOptions } from './options.js';
import type { RequestScope } from './scope.js';
import type { Metrics } from './metrics.js';
import type { ServedCorpora } from './served.js';

/** A schema of an object, for query parameters and bodies. */
export type ObjectSchema = ReturnType<typeof askSchema>;

/** What a route answers with a status, by media type; a type without a schema is text. */
export interface RouteResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, JsonSchema>>;
}

export interface RouteContext {
  readonly served: ServedCorpora;
  readonly options: CheckedOptions;
  readonly metrics: Metrics;
  readonly request: Request;
  readonly scope: RequestScope;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An answer: JSON, a text of a type, lines of JSON as they come, or bytes of another handler. */
export interface Reply {
  readonly status?: number;
  /** An object, whose fields may be iterables of elements that are made as they are written. */
  readonly json?: unknown;
  readonly text?: string;
  readonly lines?: AsyncIterable<Record<string, unknown>>;
  readonly stream?: Pieces;
  readonly headers?: Readonly<Record<string, string>>;
}

export const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export interface Route {
  readonly method: (typeof methods)[number];
  /** With parameters in braces: `/v1/corpora/{corpus}`. */
  readonly path: string;
  /** `operationId` of the description. */
  readonly id: string;
  readonly summary: string;
  /** Needs no token, and is answered however many requests run, as with `always`. */
  readonly open?: true;
  /** Answered however many requests run: what says how many that are. */
  readonly always?: true;
  /** Makes much of little on the JavaScript thread: few at a time, the writing of JSON included. */
  readonly bulk?: true;
  /** Needs `write`; has no limit of time, as what is stored stays. */
  readonly writes?: true;
  readonly query?: ObjectSchema;
  /** Read and checked before the handler. */
  readonly body?: ObjectSchema;
  /** The handler reads the body, of JSON or of other types: for the description. */
  readonly streamedBody?: { readonly json: ObjectSchema; readonly lines: JsonSchema };
  /** Media types of a body of bytes, which the handler reads: for the description. */
  readonly bytesBody?: readonly string[];
  readonly responses: Readonly<Record<number, RouteResponse>>;
  /** How to ask for less, for an answer that is too large. */
  readonly less?: string;
  handle(context: RouteContext): Promise<Reply> | Reply;
}

/** A reference to a schema of `components`. */
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const json = (description: string, schema: JsonSchema): RouteResponse => ({
  description,
  content: { 'application/json': schema },
});
