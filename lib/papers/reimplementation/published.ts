// The published code of MRAG's re-implementation: passages by their best sentence window and by the
// years in their text.
import { invalidArgument } from '../../errors.js';
import { pipeline, stage, type Stage } from '../../pipeline.js';
import { minMax, sumColumns, timesColumn } from './columns.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { semanticOnly } from '../../retrieval/search.js';
import { checkedWhereUsed, checkKinds, count, finite } from '../../systems/optionKinds.js';
import { queryContext } from '../../systems/queryAnalysis.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { parseQuestion } from '../../time/question/question.js';
import { questionEnd } from '../../time/question/questionText.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import type { ReimplementationOptions } from './options.js';
import { bestWindow, passageYears, parseYearQuestion } from './windows.js';

const kinds = { variant: checkedWhereUsed, depth: count, base: checkedWhereUsed, years: finite };

/** Uses the options `model`, `read`, `depth`, `base` and `years`. */
export function published(options: ReimplementationOptions): System {
  const {
    corpus,
    model,
    read: reading,
    depth = 100,
    base = 0,
    years = 1,
  } = checkKinds('reimplementation+published', options, kinds);
  if (!(base >= 0 && base <= 1)) throw invalidArgument('base', 'a number from 0 to 1', base);
  const composition = pipeline<QueryRequest>('reimplementation+published')
    .then(withoutYears())
    .then(retrieve(`dense(${depth})`, { scope: 'passages', relevance: semanticOnly, n: depth }))
    .then(bestWindow())
    .then(minMax(['similarity', 'window']))
    .then(sumColumns({ similarity: base, window: 1 - base }))
    .then(passageYears())
    .then(timesColumn('years', years))
    .then(limit())
    .then(read(reading, model));
  return system(composition.done(), corpus, { variant: 'published', depth, base, years }, reading);
}

/** Searches by the question without its years, as MRAG's published re-implementation. */
function withoutYears(): Stage<QueryRequest, QueryContext> {
  return stage('withoutYears', (request) =>
    queryContext(request, {
      parsed: parseQuestion(request.question),
      searchText: parseYearQuestion(questionEnd(request.question.text)).mainContent,
    }),
  );
}
