// What a tool of agents is: a name, words and schemas for a model, and the work.
import type { Fields, Progress, StoredCorpus, System } from 'asof';
import type { JsonSchema } from 'asof/models';
import type { ObjectSchema } from '../http/route.js';

/** A corpus that tools are called on, by its name. */
export interface ToolCorpus {
  name: string;
  corpus: StoredCorpus;
  /** The first is the default. */
  systems: readonly System[];
}

/** A call of a tool: `signal` fires when the client cancels it or is gone. */
export interface ToolCall extends ToolCorpus {
  signal: AbortSignal;
  /** Absent where the client asked for no progress. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** What schemas say of the corpora of a server. */
export interface ToolWords {
  /** Names of systems, the default first. */
  systems: readonly string[];
  /** Fields of the only corpus; of several the argument `corpus` names them. */
  where: { readonly fields?: Fields };
}

/** A result twice: for programs, and for models that read text. */
export interface ToolResult {
  structured: Record<string, unknown>;
  text: string;
}

export interface Tool<Arguments> {
  name: string;
  title: string;
  description: string;
  input: ObjectSchema;
  output: JsonSchema;
  /** Whether it changes the corpus. */
  writes?: true;
  run(given: Arguments, call: ToolCall): Promise<ToolResult>;
}
