// What a tool of agents is: a name, words and schemas for a model, and the work.
import type { Progress } from 'asof';

/** JSON Schema of draft 2020-12, of the keywords that `checkArguments` has words for. */
export interface ObjectSchema extends Schema {
  type: 'object';
  properties: Readonly<Record<string, Schema>>;
}

export interface Schema {
  type?: string;
  anyOf?: readonly Schema[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  items?: Schema;
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

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
  input: ObjectSchema;
  output: ObjectSchema;
  /** Whether it changes the corpus. */
  writes?: true;
  run(given: Arguments, call: ToolCall): Promise<ToolResult>;
}
