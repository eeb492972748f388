// Annotator by a language model, by the templates of its prompts. Caching and budget are the
// model's.
import { mustBeWhole, askTemplate, checkTextModel } from 'asof/kit';
import type { TextModel } from 'asof';
import type { TemplateRequest } from '../judges/prompts.js';
import { passageAnnotation, queryAnnotation } from './annotation.js';
import type { Annotator } from './annotator.js';
import { passageRequest, queryRequest } from './prompts.js';

export interface ModelAnnotatorOptions {
  /** Maximum length of a passage in the prompt, in UTF-16 units, 100 or more. Default 6000. */
  passageLength?: number;
  /** Receives the reason of an unusable answer, after one retry. Its annotation is not temporal. */
  onUnusable?: (why: string) => void;
}

/**
 * An annotator by a model, at temperature 0. An answer that does not match the schema after one
 * retry gives an annotation without time; failures of the model are ERR_MODEL_FAILED.
 * @example const annotator = modelAnnotator(await recordReplay({ path: 'annotated.jsonl', mode:
 * 'replayOrRecord', model }));
 */
export function modelAnnotator(model: TextModel, options: ModelAnnotatorOptions = {}): Annotator {
  checkTextModel(model);
  const { passageLength = 6000, onUnusable } = options;
  mustBeWhole({ passageLength }, 100);
  const where = { file: model.id, line: 1 };
  /** The answer, which has the published fields; without a usable one what is given instead. */
  const ask = async (
    name: 'tempoQuery' | 'tempoPassage',
    request: TemplateRequest,
    otherwise: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Record<string, unknown>> => {
    const said = await askTemplate<Record<string, unknown>>(model, name, request, signal);
    if ('value' in said) return said.value;
    onUnusable?.(said.unusable);
    return otherwise;
  };
  return {
    id: model.id,
    async query({ text }, signal) {
      const said = await ask('tempoQuery', queryRequest(text), withoutTime, signal);
      const actions = (said['retrieval_plan'] ?? []) as string[];
      const plan = actions.map((action) => ({ action }));
      return queryAnnotation({ ...said, retrieval_plan: plan }, where);
    },
    async passage({ text }, passage, signal) {
      const request = passageRequest(text, passage, passageLength);
      const said = await ask('tempoPassage', request, {}, signal);
      return passageAnnotation({ ...said, doc_id: passage.id }, where);
    },
  };
}

const withoutTime = { temporal_intent: 'none', expected_granularity: 'unknown' };
