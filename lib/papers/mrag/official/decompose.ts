// Question processing of MRAG's published code as a stage.
import { stage, type Stage } from '../../../pipeline.js';
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { queryContext } from '../../../systems/queryAnalysis.js';
import type { QueryRequest } from '../../../systems/system.js';
import { parseQuestion, questionEnd } from '../../../time/question/question.js';
import { keywordText, officialMonth, officialQuestion } from './question.js';

/** Question decomposition of MRAG's published code, by years. */
export function decomposeOfficial(): Stage<QueryRequest, QueryContext> {
  return stage(
    'decomposeOfficial',
    (request, { note }) => {
      const end = questionEnd(request.question.text);
      const { text, constraint } = officialQuestion(end);
      note('by', 'rules');
      note('constraint', constraint ? `${constraint.type} ${constraint.years.join(' ')}` : 'none');
      const month = officialMonth(end);
      // Extracted and never used, as in the published code.
      if (month !== undefined) note('month', month);
      return queryContext(request, {
        parsed: parseQuestion(request.question),
        searchText: keywordText(text),
      });
    },
    'MRAG 4, as published',
  );
}
