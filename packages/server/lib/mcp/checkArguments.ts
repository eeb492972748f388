// Arguments of a tool against its schema, with errors from which a model can correct itself.
import { Validator, type OutputUnit } from '@cfworker/json-schema';
import { AsOfError } from 'asof';
import { invalidArgument, suggestion } from 'asof/kit';
import type { ObjectSchema, Schema } from './tool.js';

/**
 * A check of arguments by a schema.
 * @returns a function that throws ERR_INVALID_ARGUMENT for the first argument that does not fit
 */
export function argumentChecker(tool: string, schema: ObjectSchema): (given: unknown) => void {
  // The validator writes into its schema.
  const validator = new Validator(structuredClone<object>(schema), '2020-12', false);
  return (given) => {
    checkLengths(schema, given);
    const { valid, errors } = validator.validate(given);
    if (valid) return;
    // The innermost fault: outer ones only say that something in them does not fit.
    const faults = errors.filter(({ keyword }) => keyword !== 'false');
    const depth = ({ keywordLocation }: OutputUnit): number => keywordLocation.split('/').length;
    const deepest = faults.reduce((best, each) => (depth(each) > depth(best) ? each : best));
    throw faultOf(tool, schema, deepest, given);
  };
}

/** Lists that are too long, before their elements are looked at. */
function checkLengths({ properties }: ObjectSchema, given: unknown): void {
  for (const [name, { maxItems = Infinity, ...limits }] of Object.entries(properties)) {
    const value = (given as Record<string, unknown> | undefined)?.[name];
    if (Array.isArray(value) && value.length > maxItems)
      throw invalidArgument(name, wordsOf({ ...limits, maxItems }), value);
  }
}

function faultOf(tool: string, root: ObjectSchema, unit: OutputUnit, given: unknown): AsOfError {
  const path = partsOf(unit.instanceLocation);
  const keywords = partsOf(unit.keywordLocation);
  const schema = at(root, keywords.slice(0, -1)) as Schema;
  const value = at(given, path);
  if (unit.keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties!);
    const name = Object.keys(value as object).find((each) => !known.includes(each))!;
    const near = suggestion(name, known).trim();
    return invalidArgument(placeOf(tool, path), `an object of ${known.join(', ')}`, name, near);
  }
  if (unit.keyword === 'required') {
    const missing = schema.required!.filter((name) => !Object.hasOwn(value as object, name));
    return new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected ${placeOf(tool, path)} to have ${missing.join(' and ')}, received ` +
        `${
          Object.keys(value as object)
            .slice(0, 6)
            .join(', ') || 'none'
        }. ` +
        `Give ${missing.map((name) => `${name}: ${wordsOf(schema.properties![name]!)}`).join('; ')}.`,
      { details: { argument: missing[0] } },
    );
  }
  return invalidArgument(placeOf(tool, path), wordsOf(schema), value);
}

/** What fits, in words. */
function wordsOf({ type, enum: values, ...limits }: Schema): string {
  if (values) return `one of ${values.join(', ')}`;
  const range = (least = 0, most = Infinity): string =>
    `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  if (type === 'integer') return `a whole number from ${range(limits.minimum, limits.maximum)}`;
  if (type === 'array') return `a list of ${range(limits.minItems, limits.maxItems)} objects`;
  if (type === 'object') return 'an object';
  return limits.maxLength === undefined
    ? 'a string'
    : `a string of ${range(limits.minLength, limits.maxLength)} characters`;
}

/** `passages[2].text`, or the arguments as a whole. */
const placeOf = (tool: string, path: readonly string[]): string =>
  path.length === 0
    ? `the arguments of ${tool}`
    : path
        .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i > 0 ? `.${part}` : part))
        .join('');

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => unescaped(part).replace(/~1/g, '/').replace(/~0/g, '~'));

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, part) => (inner as Record<string, unknown> | undefined)?.[part],
    value,
  );
