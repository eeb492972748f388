// What a tool of agents is: a name, words and schemas for a model, and the work.
import type { Progress } from 'asof';
import type { JsonSchema } from 'asof/models';

/** A call of a tool: `signal` fires when the client cancels it or is gone. */
export interface ToolCall {
  signal: AbortSignal;
  /** Absent where the client asked for no progress. */
  onProgress?: ((progress: Progress) => void) | undefined;
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
  input: JsonSchema;
  output: JsonSchema;
  /** Whether it changes the corpus. */
  writes?: true;
  run(given: Arguments, call: ToolCall): Promise<ToolResult>;
}
