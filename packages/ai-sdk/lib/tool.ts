// Tool of the AI SDK: a model asks a corpus as of a time.
import {
  agentResult,
  agentSchema,
  checkOptionNames,
  inWordsOf,
  invalidArgument,
  maxPassages,
  mustBeWhole,
  parseAskedAt,
  schemaFaults,
} from 'asof/kit';
import {
  AsOfError,
  type AskOptions,
  type SearchableCorpus,
  type System,
  type TimeInput,
  type Where,
  hybrid,
} from 'asof';

export interface AsOfToolOptions {
  /** What the model reads of the tool. Default: what it does; say what the corpus holds. */
  description?: string | undefined;
  /** Passages where the model names no number, 1 to 50. Default 5. */
  k?: number | undefined;
  /** Passages pass this filter and that of the model. Default: all. */
  where?: Where | undefined;
  /**
   * Time of all questions: the model is then offered no `asked_at`. Default: what it names, or now.
   */
  askedAt?: TimeInput | undefined;
}

/** What a model passes to the tool. */
export interface AsOfToolInput extends Pick<AskOptions, 'decay' | 'relevance'> {
  question: string;
  as_of?: string | undefined;
  asked_at?: string | undefined;
  where?: Record<string, unknown> | undefined;
  since?: string | undefined;
  until?: string | undefined;
  only?: 'current' | undefined;
  k?: number | undefined;
}

/** A result as `asof ask --json` prints it, without what explains scores and speed. */
export interface AsOfToolOutput {
  question: string;
  /** Time of the question, UTC. */
  asked_at: string;
  /** How the time of the question was read. */
  constraint: unknown;
  /** Read from the evidence; null if no passage has one. */
  answer?: string | null | undefined;
  /** Why there is no answer. */
  unanswered?: string | undefined;
  /** Passages, best first; texts are cut after 4,000 UTF-16 units. */
  evidence: { id: string; text: string; [field: string]: unknown }[];
  [field: string]: unknown;
}

/** A schema as Standard Schema and Standard JSON Schema have it. */
export interface AsOfToolSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'asof';
    readonly validate: (
      value: unknown,
    ) => { value: AsOfToolInput } | { issues: readonly { message: string }[] };
    readonly jsonSchema: {
      readonly input: (options: { target: string }) => Record<string, unknown>;
      readonly output: (options: { target: string }) => Record<string, unknown>;
    };
  };
}

/** A tool of ai@6 and ai@7. */
export interface AsOfTool {
  description: string;
  inputSchema: AsOfToolSchema;
  execute(
    input: AsOfToolInput,
    options: { abortSignal?: AbortSignal | undefined },
  ): Promise<AsOfToolOutput>;
}

const mostPassages = 50;
/** UTF-16 units of a passage's text in a result. */
const mostText = 4000;

/**
 * A tool for `generateText` and agents of ai@6 and ai@7: a model asks a system, or `hybrid` over a
 * corpus, and gets the passages that answer as of the time of the question, with their dates and
 * the answer in them.
 * @throws AsOfError ERR_INVALID_ARGUMENT. Its execute() rejects with ERR_INVALID_ARGUMENT, whose
 * message the SDK shows to the model, with ERR_ABORTED, and as the system does.
 * @example const { text } = await generateText({ model, prompt, stopWhen: stepCountIs(3), tools: {
 * search: asofTool(corpus) } });
 */
export function asofTool(
  source: System | SearchableCorpus,
  options: AsOfToolOptions = {},
): AsOfTool {
  const system = systemOf(source);
  checkOptionNames('asofTool', options, ['description', 'k', 'where', 'askedAt']);
  const { description = defaultDescription, k = 5, where, askedAt } = options;
  mustBeWhole({ k }, 1, maxPassages);
  if (askedAt !== undefined) parseAskedAt(askedAt, 'askedAt');
  return {
    description,
    inputSchema: standardSchema(
      agentSchema({
        question: {},
        asOf: {},
        ...(askedAt === undefined ? { askedAt: {} } : {}),
        // A schema, since the SDK turns true into false.
        where: { additionalProperties: {}, fields: {} },
        since: {},
        until: {},
        only: {},
        decay: {},
        relevance: {},
        k: { maximum: mostPassages, default: k },
      }),
    ),
    async execute(input, { abortSignal } = {}) {
      const filters = [where, input.where as Where | undefined].filter(
        (each) => each !== undefined,
      );
      const question = { text: input.question, askedAt: askedAt ?? input.asked_at };
      const options = {
        k: input.k ?? k,
        asOf: input.as_of,
        where: filters.length > 1 ? { and: filters } : filters[0],
        since: input.since,
        until: input.until,
        only: input.only,
        decay: input.decay,
        relevance: input.relevance,
        signal: abortSignal,
      };
      const result = await system.run(question, options).catch(renamed);
      return agentResult(result, system.name, mostText) as unknown as AsOfToolOutput;
    },
  };
}

/** An error of the library with its arguments named as the model wrote them. */
function renamed(error: unknown): never {
  if (!AsOfError.is(error) || error.code !== 'ERR_INVALID_ARGUMENT') throw error;
  const { code, details } = error;
  throw new AsOfError(code, inWordsOf(error.message, '_'), { cause: error, details });
}

function systemOf(source: System | SearchableCorpus): System {
  if (typeof (source as System)?.run === 'function') return source as System;
  if (typeof (source as SearchableCorpus)?.snapshot === 'function')
    return hybrid({ corpus: source as SearchableCorpus });
  throw invalidArgument(
    'source',
    'a system or a corpus',
    source,
    "Pass hybrid({ corpus }), or await Corpus.open('wiki.asof').",
  );
}

const defaultDescription =
  'Finds dated passages that answer a question as of a time, with what superseded them, and ' +
  'reads the answer from them. Ask a whole question in English and keep its words of time: ' +
  '"in May 2021", "before the merger", "latest".';

function standardSchema(schema: ReturnType<typeof agentSchema>): AsOfToolSchema {
  const faultsOf = schemaFaults(schema, 'the input');
  // The SDK writes into it.
  const converted = (): Record<string, unknown> => structuredClone(schema);
  return {
    '~standard': {
      version: 1,
      vendor: 'asof',
      validate(value) {
        const issues = [...faultsOf(value)].map(({ message }) => ({ message }));
        return issues.length > 0 ? { issues } : { value: value as AsOfToolInput };
      },
      jsonSchema: { input: converted, output: converted },
    },
  };
}
