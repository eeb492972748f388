// Keyword extraction of a question, by rules or by a model (MRAG appendix F).
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { stage, type Stage } from '../../../pipeline.js';
import { extractKeywordsBy } from './byModel.js';
import type { KeywordQuery } from './keyword.js';
import { extractKeywords } from './byRules.js';
import { fallbackNote } from '../../../text/jsonPrompt.js';
import { questionEnd } from '../../../time/question/question.js';
import { checkTextModel, type TextModel } from '../../../text/textModel.js';

/**
 * Adds the keywords of the main content. Rules replace an unusable answer of the model, with a
 * note.
 */
export function findKeywords(model?: TextModel): Stage<QueryContext, KeywordQuery> {
  if (model) checkTextModel(model);
  return stage(
    'findKeywords',
    async (query, { note, signal }) => {
      const answer = model && (await extractKeywordsBy(model, query.searchText, signal));
      const keywords =
        answer && 'keywords' in answer
          ? answer.keywords
          : extractKeywords(questionEnd(query.searchText));
      note(
        'by',
        answer === undefined
          ? 'rules'
          : 'keywords' in answer
            ? model!.id
            : fallbackNote(model!, answer.unusable),
      );
      return { ...query, keywords };
    },
    'MRAG appendix F, keyword extraction',
  );
}
