// Numbers and texts in SQL, and the parameters of a statement.

/** A number, as PostgreSQL reads exactly this double. */
export const float8 = (value: number): string =>
  Number.isFinite(value)
    ? `'${Object.is(value, -0) ? '-0' : value}'::float8`
    : `'${value}'::float8`;

/** A number rounded to a float, as the native scan holds it. */
export const float4 = (value: number): string => `'${Math.fround(value)}'::float8`;

/** Ids that there may be passages of: PostgreSQL has no text with U+0000, and refuses it. */
export const storableIds = (ids: readonly string[]): string[] =>
  ids.filter((id) => !id.includes('\0'));

/** A statement's parameters, numbered as they are added. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @returns its place in the text, cast to the type */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** The text of a vector, as pgvector reads it. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;
