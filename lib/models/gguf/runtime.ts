// Types of the used part of node-llama-cpp, an optional peer, and its lazy import.
import { importPeer } from '../../runtime/peer.js';

export interface LlamaRuntime {
  getLlama(options: {
    gpu: 'auto' | false;
    build: 'never';
    skipDownload: true;
    maxThreads: number;
    logLevel: 'error';
    logger: (level: string, message: string) => void;
  }): Promise<Llama>;
  LlamaChatSession: new (options: {
    contextSequence: LlamaSequence;
    systemPrompt?: string;
    autoDisposeSequence: false;
  }) => LlamaSession;
}

export interface Llama {
  loadModel(options: { modelPath: string; loadSignal?: AbortSignal }): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
  dispose(): Promise<void>;
}

/** Opaque. */
export type LlamaGrammar = object;

export interface LlamaModel {
  /** Tokens of context that the model was trained with. */
  readonly trainContextSize: number;
  readonly tokenizer: unknown;
  createContext(options: {
    contextSize: number;
    sequences: 1;
    threads: number;
    createSignal?: AbortSignal;
  }): Promise<LlamaContext>;
}

export interface LlamaContext {
  getSequence(): LlamaSequence;
}

export interface LlamaSequence {
  readonly tokenMeter: { getState(): unknown; diff(before: never): { usedOutputTokens: number } };
  clearHistory(): Promise<void>;
}

export interface LlamaSession {
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: readonly object[] }): {
      contextText: { tokenize(tokenizer: unknown): readonly unknown[] };
    };
  };
  getChatHistory(): object[];
  promptWithMeta(
    prompt: string,
    options: {
      maxTokens: number;
      temperature?: number;
      seed?: number;
      customStopTriggers?: string[];
      grammar?: LlamaGrammar;
      signal: AbortSignal;
      stopOnAbortSignal: false;
      /** Receives the text as it is generated. */
      onTextChunk?: (text: string) => void;
    },
  ): Promise<{ responseText: string }>;
  dispose(options: { disposeSequence: false }): void;
}

/** The package that a CPU needs of node-llama-cpp, by platform. */
const platformPackages: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'win32-x64': '@node-llama-cpp/win-x64',
  'win32-arm64': '@node-llama-cpp/win-arm64',
};

/** @throws AsOfError ERR_NATIVE_UNAVAILABLE, saying what to install. */
export function importLlama(name = 'node-llama-cpp'): Promise<LlamaRuntime> {
  const cpu = platformPackages[`${process.platform}-${process.arch}`];
  const small = cpu
    ? ` For the CPU alone, 85 MB instead of 725: npm install --omit=optional node-llama-cpp ${cpu}.`
    : '';
  const remedy = `Do: npm install node-llama-cpp@3.${small}`;
  return importPeer(name, 'to run models in GGUF files', remedy);
}
