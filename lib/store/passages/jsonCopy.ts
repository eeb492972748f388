// Copy of a caller's JSON values. What JSON would leave out or change is refused: what is stored
// comes back as it was given.
import { isObject, type AsOfError } from '../../errors.js';

/** Levels of arrays and objects; deeper ones overflow the stacks of JSON readers. */
const mostLevels = 1000;

/** Creates the error of a value: its path, the expectation, the value and the remedy. */
export type InvalidValue = (
  path: string,
  expected: string,
  received: unknown,
  remedy: string,
) => AsOfError;

/**
 * A copy of an object of JSON values: null, booleans, finite numbers, well-formed strings, and
 * arrays and plain objects of them. Properties that are undefined are omitted, and -0 becomes 0.
 * `most`: UTF-16 units of JSON over which not all of it is read.
 */
export function copyJsonObject(
  name: string,
  value: unknown,
  most: number,
  invalid: InvalidValue,
): Record<string, unknown> {
  if (!isObject(value))
    throw invalid(name, 'a plain object of JSON values', value, 'Pass { key: value }.');
  return new JsonCopy(name, value, most, invalid).ofObject(value);
}

class JsonCopy {
  private readonly path: (string | number)[] = [];
  private readonly ancestors = new Set<object>();
  private units = 0;

  constructor(
    private readonly name: string,
    private readonly root: object,
    private readonly most: number,
    private readonly invalid: InvalidValue,
  ) {}

  ofObject(value: object): Record<string, unknown> {
    const prototype: unknown = Object.getPrototypeOf(value);
    // The prototype of another realm's objects has none either.
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
    if (!isPlain) {
      const remedy =
        value instanceof Date
          ? 'Give its toISOString() or getTime().'
          : 'Give a plain object of its properties, or a text.';
      throw this.refused(
        'a plain object, an array, a string, a number, a boolean or null',
        value,
        remedy,
      );
    }
    if (Object.getOwnPropertySymbols(value).length > 0)
      throw this.refused('without symbols as keys', value, 'Name the properties by strings.');
    this.enter(value);
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const property: unknown = (value as Record<string, unknown>)[key];
      if (property === undefined) continue;
      this.path.push(key);
      this.checkString(key);
      const of = this.of(property);
      this.path.pop();
      if (key === '__proto__')
        Object.defineProperty(copy, key, {
          value: of,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      else copy[key] = of;
    }
    this.ancestors.delete(value);
    return copy;
  }

  private of(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.checkString(value);
        return value;
      case 'number':
        if (!Number.isFinite(value))
          throw this.refused('a finite number', value, 'JSON has no other: give null or a text.');
        this.count(1);
        return value === 0 ? 0 : value;
      case 'boolean':
        this.count(4);
        return value;
      case 'object':
        if (value !== null)
          return Array.isArray(value) ? this.ofArray(value) : this.ofObject(value);
        this.count(4);
        return null;
      default:
        throw this.refused('a JSON value', value, 'Leave it out, or give a text of it.');
    }
  }

  private ofArray(value: readonly unknown[]): unknown[] {
    this.enter(value);
    const copy: unknown[] = [];
    for (let at = 0; at < value.length; at += 1) {
      this.path.push(at);
      copy.push(this.of(value[at]));
      this.path.pop();
    }
    if (Object.keys(value).length > copy.length)
      throw this.refused('an array without names of its own', value, 'Give an object.');
    this.ancestors.delete(value);
    return copy;
  }

  private enter(value: object): void {
    if (this.ancestors.has(value))
      throw this.refused('without cycles', value, 'Refer to what is above by an id.');
    if (this.ancestors.size === mostLevels)
      throw this.refused(`at most ${mostLevels} levels deep`, value, 'Flatten it.');
    this.ancestors.add(value);
    this.count(2);
  }

  private checkString(text: string): void {
    this.count(text.length + 2);
    if (!text.isWellFormed())
      throw this.refused(
        'well-formed UTF-16',
        text,
        'Remove the lone surrogate, or call toWellFormed().',
      );
  }

  /** Values that occur many times may have more JSON than memory. */
  private count(units: number): void {
    this.units += units;
    if (this.units <= this.most) return;
    this.path.length = 0;
    const most = this.most.toLocaleString('en-US');
    throw this.refused(
      `at most ${most} UTF-16 units of JSON`,
      this.root,
      'Keep the rest elsewhere.',
    );
  }

  private refused(expected: string, value: unknown, remedy: string): AsOfError {
    const path = this.path.map((each) =>
      typeof each === 'number'
        ? `[${each}]`
        : /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(each)
          ? `.${each}`
          : `[${JSON.stringify(each.slice(0, 60))}]`,
    );
    const shown = path.length <= 12 ? path : [...path.slice(0, 6), '...', ...path.slice(-3)];
    return this.invalid(`${this.name}${shown.join('')}`, expected, value, remedy);
  }
}
