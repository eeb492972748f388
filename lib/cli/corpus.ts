// Opens a command's corpus with the encoder that its --encoder option names. Corpora of the embedded encoder need no option.
import { option, type Invocation, type OptionSpec } from './command.js';

/** The option of every command that encodes text. */
export const encoderOption: OptionSpec = {
  type: 'string',
  value: 'E',
  help: 'what encodes passages and questions: default, onnx:FOLDER for a published model in ONNX form, or the path of a file like models/default-encoder.bin',
};

/** The corpus at a folder; `create` is for writing. */
export async function openCorpus(folder: string, invocation: Invocation, access: { create: true } | { readOnly: true }) {
  const { Corpus, onnxEncoder, staticEncoder } = await import('../index.js');
  const named = option(invocation, 'encoder');
  const ofName = (name: string) => (name.startsWith('onnx:') ? onnxEncoder({ path: name.slice(5) }) : staticEncoder({ model: name }));
  const encoder = named === undefined || named === 'default' ? undefined : await ofName(named);
  return Corpus.open(folder, { ...access, ...(encoder ? { encoder } : {}) });
}
