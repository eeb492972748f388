// docs/http-api.md: the interface of the server as a page, made of the description that it serves
// (OpenAPI). Run after `npm run build`; a test compares page and description.
'use strict';
const { mkdtempSync, rmdirSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const page = join(__dirname, '..', 'docs', 'http-api.md');

const head = `# The HTTP API

<!-- Made by scripts/http-api.cjs of the description that the server has of itself. -->

\`asof serve\` describes its interface at \`GET /openapi.json\` (OpenAPI 3.1); this page is made of that
description. What it does, with examples, is in the [guide](guide/server.md). Bodies and answers are
JSON; with a token each request but those marked *open* needs \`Authorization: Bearer TOKEN\`. Errors
are an [Error](#error) with a status from 400. In tables **bold** names are needed.
`;

const named = ($ref) => $ref.split('/').at(-1);
const link = (name) => `[${name}](#${name.toLowerCase()})`;

/** A schema in a few words; objects by the names of their fields. */
function typeOf(schema) {
  const { $ref, type, items, properties, additionalProperties: others, oneOf } = schema;
  if ($ref) return link(named($ref));
  if (oneOf) return oneOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((each) => `\`${each}\``).join(', ');
  if ('const' in schema) return `\`${schema.const}\``;
  if (type === 'array') return `list of ${typeOf(items ?? {})}${range(schema, 'Items')}`;
  if (type === 'object' && properties)
    return `object of ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(', ')}`;
  if (type === 'object')
    return typeof others === 'object' ? `${typeOf(others)}, by names` : 'object';
  return [[type ?? 'any'].flat().join(' or '), range(schema, 'Length'), range(schema, 'imum')].join(
    '',
  );
}

/** Its bounds, if it has some that say more than "not empty". */
function range(schema, of) {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  const shown = (value) => value.toLocaleString('en-US');
  if (most === undefined) return '';
  const unit = { Items: '', Length: ' characters', imum: '' }[of];
  return `, ${least === undefined ? 'at most ' : `${shown(least)} to `}${shown(most)}${unit}`;
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table({ properties = {}, required = [] }) {
  const names = Object.keys(properties);
  if (names.length === 0) return [];
  const rows = names.map((name) => {
    const { description = '' } = properties[name];
    const shown = required.includes(name) ? `**\`${name}\`**` : `\`${name}\``;
    return `| ${shown} | ${cell(typeOf(properties[name]))} | ${cell(description)} |`;
  });
  return ['| | | |', '| --- | --- | --- |', ...rows, ''];
}

/** Media types of a body, those of one schema together. */
function bodies(requestBody) {
  const types = new Map();
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    const key = JSON.stringify(schema);
    types.set(key, { schema, names: [...(types.get(key)?.names ?? []), `\`${type}\``] });
  }
  return [...types.values()].map(({ schema, names }) => [names.join(', '), schema]);
}

function operation(method, path, described, isOpen, known) {
  const { summary, parameters, requestBody, responses } = described;
  const title = `${method.toUpperCase()} ${path}`;
  const lines = [`## ${title}`, '', `${summary}${isOpen ? ' *Open.*' : ''}`, ''];
  const query = parameters.filter((each) => each.in === 'query');
  const fields = query.map(({ name, schema, content }) => [
    name,
    schema ?? content['application/json'].schema,
  ]);
  if (query.length > 0)
    lines.push('Parameters:', '', ...table({ properties: Object.fromEntries(fields) }));
  for (const [types, schema] of bodies(requestBody)) {
    const key = JSON.stringify(schema);
    const same = known.get(key);
    if (schema?.properties && !same) known.set(key, title);
    const isTable = schema?.properties && !same;
    const what = !schema ? 'its bytes' : same ? `as of \`${same}\`` : typeOf(schema);
    lines.push(
      `Body, ${types}:${isTable ? '' : ` ${what}.`}`,
      '',
      ...(isTable ? table(schema) : []),
    );
  }
  for (const [status, { description, content }] of Object.entries(responses)) {
    if (status === 'default') continue;
    const types = Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' ? typeOf(schema) : `\`${type}\`: ${typeOf(schema)}`,
    );
    lines.push(`**${status}** ${description} ${types.join('; ')}.`, '');
  }
  return lines;
}

/** A line of prose in lines of at most 100 columns; rows of tables stay whole. */
const wrapped = (line) =>
  line.startsWith('|') ? line : line.replace(/(?=.{101})(.{1,100}) /g, '$1\n');

/** The page of a description. */
function httpApi({ paths, components }) {
  const known = new Map();
  const lines = [];
  for (const [path, operations] of Object.entries(paths))
    for (const [method, described] of Object.entries(operations))
      lines.push(...operation(method, path, described, described.security.length === 0, known));
  lines.push('## Schemas', '');
  for (const [name, schema] of Object.entries(components.schemas)) {
    lines.push(`### ${name}`, '', ...(schema.description ? [schema.description, ''] : []));
    if (schema.oneOf) lines.push(...schema.oneOf.map((each) => `- ${each.description}\n`));
    else lines.push(...table(schema));
  }
  return `${head}\n${lines.map(wrapped).join('\n').trimEnd()}\n`;
}

module.exports = { httpApi, page };

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'asof-http-api-'));
  const { corpusServer } = await import('../packages/server/dist/index.js');
  // With a token, so that what needs none is marked.
  const server = await corpusServer({ folder: { path: folder }, token: 'x'.repeat(16) });
  const answer = await server.fetch(new Request('http://127.0.0.1/openapi.json'));
  writeFileSync(page, httpApi(await answer.json()));
  await server.close();
  rmdirSync(folder);
}
if (require.main === module) void main();
