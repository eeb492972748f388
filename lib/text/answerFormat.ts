// Answers in the form that a prompt's template asks for, tagged text or JSON with names of its own,
// as values by the schema's fields.
import type { AnswerFormat } from './promptTemplates.js';
import type { JsonSchema } from './textModel.js';

const none = /^\W*(?:none|null|n\/a|not sure)\W*$/i;

/** The value that tagged text states, by the schema's types; undefined without any of the tags. */
export function taggedValue(
  text: string,
  { tags }: AnswerFormat,
  schema: JsonSchema,
): Record<string, unknown> | undefined {
  const named = Object.entries(tags);
  if (named.length === 0) return undefined;
  const first = named[0]![0];
  // What follows the prompt's open tag has no opening of its own.
  const whole = text.includes(`<${first}>`) ? text : `<${first}>${text}`;
  const properties = schema['properties'] as Record<string, JsonSchema>;
  const value: Record<string, unknown> = {};
  for (const [tag, field] of named) {
    const inside = new RegExp(`<${tag}>([^]*?)(?=</?\\w+>|$)`).exec(whole)?.[1]?.trim();
    if (inside === undefined) continue;
    const { type, enum: values } = properties[field] ?? {};
    const isNumber =
      type === 'integer' ||
      type === 'number' ||
      typeof (values as unknown[] | undefined)?.[0] === 'number';
    value[field] =
      isNumber && /^[-+]?\d/.test(inside)
        ? Number.parseFloat(inside)
        : type === 'array'
          ? listOf(inside)
          : type === 'boolean'
            ? /^\W*(?:yes|true)/i.test(inside)
            : none.test(inside)
              ? ''
              : inside;
  }
  if (Object.keys(value).length === 0) return undefined;
  // A flag without a tag: whether anything was said.
  for (const [field, { type }] of Object.entries(properties))
    if (type === 'boolean' && !(field in value))
      value[field] = Object.values(value).some((each) => each !== '');
  return value;
}

function listOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // words between commas, or one a line
  }
  return text.split(/[,\n]/).flatMap((each) => each.replace(/^[\s"'[\]-]+|[\s"'[\]]+$/g, '') || []);
}

/** JSON with a template's names by those of the schema; a bare list is its only list. */
export function renamedValue(value: unknown, { names }: AnswerFormat, schema: JsonSchema): unknown {
  const renamed = (record: unknown): unknown =>
    typeof record !== 'object' || record === null
      ? record
      : Object.fromEntries(
          Object.entries(record).map(([name, each]: [string, unknown]) => {
            const { field, plus } = names[name] ?? { field: name, plus: 0 };
            return [field, valueOf(each, plus)];
          }),
        );
  if (!Array.isArray(value)) return renamed(value);
  const properties = schema['properties'] as Record<string, { items?: JsonSchema }>;
  const [field, { items }] = Object.entries(properties).find(([, each]) => each.items) ?? ['', {}];
  const required = (items?.['required'] as string[] | undefined) ?? [];
  const filled = Object.fromEntries(required.map((each) => [each, '']));
  return { [field]: value.map((each) => ({ ...filled, ...(renamed(each) as object) })) };
}

const valueOf = (value: unknown, plus: number): unknown =>
  typeof value === 'number' && plus !== 0 ? value + plus : value === 'NULL' ? null : value;
