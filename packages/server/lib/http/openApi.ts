// The description of a server's interface (OpenAPI 3.1), made of its routes.
import { buildInfo } from 'asof/kit';
import { lineTypes } from './body.js';
import type { CheckedOptions } from './options.js';
import { json, ref, type ObjectSchema, type Route } from './route.js';
import { components } from './schemas/results.js';

type Json = Record<string, unknown>;

export function describeRoutes(
  routes: readonly Route[],
  { basePath, tokens }: Pick<CheckedOptions, 'basePath' | 'tokens'>,
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, tokens.length > 0);
  return {
    openapi: '3.1.0',
    info: {
      title: 'asof',
      version: buildInfo().version,
      description: 'Time-aware retrieval: the passages that answer a question as of a time.',
    },
    servers: [{ url: basePath || '/' }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(route: Route, needsToken: boolean): Json {
  const { id, summary, open, responses } = route;
  const body = requestBody(route);
  return {
    operationId: id,
    summary,
    ...(needsToken && !open ? { security: [{ token: [] }] } : { security: [] }),
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, asContent(response)]),
      ),
      default: asContent(json('What went wrong.', ref('Error'))),
    },
  };
}

const asContent = ({ description, content }: ReturnType<typeof json>): Json => ({
  description,
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
});

function requestBody({ body, streamedBody, bytesBody }: Route): Json | undefined {
  if (body) return { 'application/json': { schema: body } };
  if (bytesBody) return Object.fromEntries(bytesBody.map((type) => [type, {}]));
  if (!streamedBody) return undefined;
  const { json: whole, lines } = streamedBody;
  return {
    'application/json': { schema: whole },
    ...Object.fromEntries(lineTypes.map((type) => [type, { schema: lines }])),
  };
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/** Objects are written as JSON. */
function queryParameters(query: ObjectSchema | undefined): Json[] {
  if (!query) return [];
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    ...(schema['type'] === 'object' ? { content: { 'application/json': { schema } } } : { schema }),
  }));
}
