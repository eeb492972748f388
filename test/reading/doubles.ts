// Scripted models for the readers' tests: they answer by what the prompt holds, and keep every
// request.
import type { GenerateRequest, Generation, TextModel } from '../../lib/index.js';

export interface Scripted extends TextModel {
  readonly requests: GenerateRequest[];
}

/**
 * A model that answers with what `script` gives for a request and its number, from 0: text, or a
 * value to write as JSON.
 */
export function scripted(
  script: (request: GenerateRequest, call: number) => unknown,
  usage?: Generation['usage'],
): Scripted {
  const requests: GenerateRequest[] = [];
  return {
    id: 'scripted-v1',
    requests,
    async generate(request) {
      requests.push(request);
      const said = await script(request, requests.length - 1);
      return {
        text: typeof said === 'string' ? said : JSON.stringify(said),
        ...(usage ? { usage } : {}),
      };
    },
  };
}

/** Which prompt a request is: by the field that its schema requires. */
export function asks(request: GenerateRequest): 'relevance' | 'reading' | 'answer' {
  const required = (request.jsonSchema?.['required'] as string[])[0];
  return required === 'relevant' ? 'relevance' : required === 'statement' ? 'reading' : 'answer';
}
