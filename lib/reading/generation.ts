// The calls that one reading makes to a model: JSON where the model can give it, its bare text
// where it cannot, tokens and calls summed for the trace. A model that fails is an error that names
// the reading; it is never replaced by rules in silence.
import { AsOfError } from '../errors.js';
import { generateJson } from '../text/jsonAnswer.js';
import { stripThinking, type TokenUsage } from '../text/textModel.js';
import type { ModelReaderInput } from './answer.js';
import type { AnswerPrompt } from './prompts/prompt.js';

/** JSON that fits the prompt's schema, or words where the model gave none, asked twice. */
export type Said<T> = { value: T } | { text: string };

/** `step` names the call in errors, such as "relevance of passage 2". */
export type Ask = <T>(
  prompt: AnswerPrompt,
  step: string,
  options?: {
    signal?: AbortSignal;
    /** Whether it asks for the answer itself, which is shown as it is written. */
    shows?: boolean;
  },
) => Promise<Said<T>>;

/** The asking of one reading, whose calls and tokens are noted at `close`. */
export function asking({ model, temperature, note, signal: outer, onAnswer }: ModelReaderInput): {
  ask: Ask;
  close: () => void;
} {
  let calls = 0;
  let unstructured = 0;
  const usage: Required<TokenUsage> = { inputTokens: 0, outputTokens: 0 };
  let counted = false;
  const count = (used: TokenUsage | undefined): void => {
    if (!used) return;
    counted = true;
    usage.inputTokens += used.inputTokens ?? 0;
    usage.outputTokens += used.outputTokens ?? 0;
  };
  const ask: Ask = async <T>(
    { schema, ...request }: AnswerPrompt,
    step: string,
    { signal = outer, shows = false }: { signal?: AbortSignal; shows?: boolean } = {},
  ) => {
    calls += 1;
    const onText =
      onAnswer && shows
        ? (text: string): void => {
            const answer = partialAnswer(text);
            if (answer !== undefined) onAnswer(answer);
          }
        : undefined;
    try {
      const {
        value,
        usage: used,
        repaired,
      } = await generateJson<T>(model, { ...request, temperature, signal }, schema, onText);
      if (repaired) calls += 1;
      count(used);
      return { value };
    } catch (error) {
      if (!AsOfError.is(error) || error.code === 'ERR_ABORTED') throw error;
      const { faults, text, usage: used } = error.details;
      if (!Array.isArray(faults) || typeof text !== 'string') throw failedAt(step, error);
      calls += 1;
      unstructured += 1;
      count(used as TokenUsage | undefined);
      return { text };
    }
  };
  const close = (): void => {
    note('calls', calls);
    if (counted) note('usage', usage);
    if (unstructured > 0) note('unstructured', unstructured);
  };
  return { ask, close };
}

function failedAt(step: string, error: AsOfError): AsOfError {
  return new AsOfError(error.code, `Reading the answer failed at the ${step}. ${error.message}`, {
    cause: error,
    details: { ...error.details, stage: 'read', step },
  });
}

// Words that alone are no answer (as the beginning of a longer name they may be), and openings that
// say there is none.
const noAnswer = new RegExp(
  String.raw`^\W*(?:none|null|nil|nothing|no answer|n\/?a|unknown|unclear|unanswerable|undefined|` +
    String.raw`insufficient(?: information)?|` +
    String.raw`not (?:answerable|applicable|given|known))\W*$`,
  'i',
);
const refusal = new RegExp(
  [
    String.raw`(?:none|nothing|no (?:answer|information|passage)|not) ` +
      String.raw`(?:in|of|from|among|is|are|was|can|could|answerable|mentioned|stated|specified|` +
      String.raw`given|known|available|` +
      String.raw`provided|enough|found|sure|possible)\b`,
    String.raw`i (?:do not|don['’]t|cannot|can['’]t|am (?:not|unable|sorry)|could not|` +
      String.raw`couldn['’]t|have no)\b`,
    String.raw`i['’]m (?:not|unable|sorry|afraid)\b`,
    String.raw`sorry,? (?:but|i)\b`,
    String.raw`(?:the|these|this|given|provided)(?: given| provided)? ` +
      String.raw`(?:passages?|texts?|context|documents?|information|knowledge)\b.{0,60}?(?: not|` +
      String.raw`n['’]t)\b`,
    String.raw`(?:it|this|that|(?:the|this) (?:question|answer)) (?:cannot|can not|can['’]t|` +
      String.raw`is not|isn['’]t) ` +
      String.raw`(?:be )?(?:answer|determin|known|clear|possible|stated|given|mentioned|in the)`,
  ]
    .map((opening) => `^\\W*${opening}`)
    .join('|'),
  'i',
);

/** Characters of an answer that are looked at. */
const longestSaid = 4000;

/** A short answer, unpacked; undefined where it is empty or says that there is none. */
export function statedAnswer(said: string): string | undefined {
  const text = said
    .trim()
    .slice(0, longestSaid)
    .replace(/^["'“”‘’`]+|["'“”‘’`]+$/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(text) && !noAnswer.test(text) && !refusal.test(text)
    ? text
    : undefined;
}

/** The field of JSON that holds the answer, maybe cut off. */
const answerField = /"answer"\s*:\s*(?:"((?:[^"\\]|\\.)*)|(null))/i;

/** The answer in JSON that is still being written, as far as it is there. */
function partialAnswer(said: string): string | undefined {
  const [, quoted = ''] = answerField.exec(stripThinking(said)) ?? [];
  // An escape of which a part is missing.
  return unescaped(quoted.replace(/\\u[0-9a-f]{0,3}$/i, '')).trim() || undefined;
}

/** Longest answer that is taken from words that are no JSON. */
const longestAnswer = 300;

/** The answer in words that were to be JSON: a field or a line that says so, else the first. */
export function answerInText(said: string): string | undefined {
  const text = stripThinking(said.trimStart().slice(0, 4 * longestSaid))
    .replace(/```\w*/g, '')
    .trim();
  const field = answerField.exec(text);
  if (field) return statedAnswer(unescaped(field[1] ?? ''));
  const lines = [
    ...text.matchAll(
      /(?:^|\n)\W{0,10}(?:(?:the|my|final|short) ){0,2}answer(?: is|:| -)+\s*([^\n]+)/gi,
    ),
  ];
  const line =
    lines.at(-1)?.[1] ?? text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  if (/^\s*[[{]/.test(line)) return undefined; // broken JSON without an answer in it
  return statedAnswer(line.slice(0, longestAnswer).replace(/\.\s*$/, ''));
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    return quoted.replace(/\\(.)/g, '$1');
  }
}
