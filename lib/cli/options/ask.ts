// Options of commands that are those of a question, made of its table.
import { text } from 'node:stream/consumers';
import { AsOfError, invalidArgument } from '../../errors.js';
import {
  askFields,
  separated,
  type AskField,
  type AskName,
  type AskOptions,
} from '../../systems/askOptions.js';
import { schemaFaults } from '../../text/jsonSchema.js';
import { checkTimeZone } from '../../time/timeZone.js';
import {
  countOption,
  listOption,
  option,
  UsageError,
  type Arguments,
  type OptionSpec,
} from '../command.js';

type Differing = Partial<OptionSpec> & { default?: number | string };

/** Options for some of the fields, each with what differs in this command. */
export function askOptions(
  fields: Readonly<Partial<Record<AskName, Differing>>>,
): Record<string, OptionSpec> {
  const options = Object.entries(fields).map(([name, { default: otherwise, ...differing }]) => {
    const { type, value, description = '' }: AskField = askFields[name as AskName];
    const help = otherwise === undefined ? description : `${description}, default ${otherwise}`;
    const spec = type === 'boolean' ? {} : { value: value ?? 'VALUE' };
    const many = type === 'array' ? { multiple: true } : {};
    return [separated(name, '-'), { ...spec, ...many, help, ...differing }] as const;
  });
  return Object.fromEntries(options);
}

/** The question of an argument; `-` stands for the text on standard input. */
export const questionText = async (argument: string): Promise<string> =>
  argument === '-' ? (await text(process.stdin)).trim() : argument;

type AskValues = Omit<AskOptions, 'asOf' | 'since' | 'until' | 'asRecorded'> & {
  askedAt?: string | undefined;
  asOf?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  timeZone?: string | undefined;
  asRecorded?: string | undefined;
  system?: string | undefined;
  passages?: number | undefined;
};

/** @throws UsageError */
export function askValues<Name extends AskName & keyof AskValues>(
  invocation: Arguments,
  names: readonly Name[],
): Pick<AskValues, Name> {
  const values = names.map((name) => {
    const value = valueOf(separated(name, '-'), askFields[name], invocation);
    return [name, value] as const;
  });
  return Object.fromEntries(values) as Pick<AskValues, Name>;
}

function valueOf(
  name: string,
  { value: _, description: __, ...field }: AskField,
  invocation: Arguments,
): unknown {
  const { type, minimum: least, maximum: most } = field as unknown as Limits;
  if (type === 'boolean') return invocation.flags.has(name);
  if (type === 'array') return listOption(invocation, name);
  if (type === 'integer') return countOption(invocation, name, { least, most });
  const given = option(invocation, name);
  if (given === undefined) return undefined;
  try {
    if (name === 'time-zone') checkTimeZone(given, '--time-zone');
    const value =
      type === 'object' ? parsed(given, name) : type === 'number' ? Number(given) : given;
    const [fault] = schemaFaults(field, `--${name}`)(value);
    if (fault) throw fault;
    return value;
  } catch (error) {
    throw AsOfError.is(error) ? new UsageError(error.message) : error;
  }
}

interface Limits {
  type: string;
  minimum: number;
  maximum: number;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for text that is no JSON */
export function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidArgument(`--${name}`, 'JSON', text, String(cause));
  }
}
