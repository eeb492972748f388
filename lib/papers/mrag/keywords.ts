// The stage that finds a question's keywords, by rules or by a model (MRAG appendix F).
import type { QueryContext } from '../../retrieval/queryContext.js';
import { stage, type Stage } from '../../pipeline.js';
import { extractKeywordsBy } from '../../text/keywords/keywordModel.js';
import { extractKeywords } from '../../text/keywords/keywordRules.js';
import { fallbackNote } from '../../text/prompts/jsonPrompt.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';

/**
 * Adds the keywords of the main content. An unusable answer of the model is replaced by the rules',
 * and noted.
 */
export function findKeywords(model?: TextModel): Stage<QueryContext, QueryContext> {
  if (model) checkTextModel(model);
  return stage(
    'findKeywords',
    async (query, { note, signal }) => {
      const said = model && (await extractKeywordsBy(model, query.searchText, signal));
      const keywords =
        said && 'keywords' in said ? said.keywords : extractKeywords(query.searchText);
      note(
        'by',
        said === undefined
          ? 'rules'
          : 'keywords' in said
            ? model!.id
            : fallbackNote(model!, said.unusable),
      );
      return { ...query, keywords };
    },
    'MRAG appendix F, keyword extraction',
  );
}
