// All routes of a server.
import type { Route } from '../route.js';
import { aboutRoutes } from './about.js';
import { corpusRoutes } from './corpora.js';
import { documentRoutes } from './documents.js';
import { passageRoutes } from './passages.js';
import { questionRoutes } from './questions.js';
import { timeRoutes } from './times.js';
import { writeRoutes } from './writes.js';

const others = [
  ...questionRoutes,
  ...timeRoutes,
  ...passageRoutes,
  ...corpusRoutes,
  ...writeRoutes,
  ...documentRoutes,
];

export const routes: readonly Route[] = [...aboutRoutes(others), ...others];
