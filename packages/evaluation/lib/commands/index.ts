// Commands that `asof` has where @asof/evaluation is installed, each loaded when it is called.
import type { Commands } from 'asof/command';

export const commands: Commands = {
  'eval': () => import('./eval.js'),
  'metrics': () => import('./metrics.js'),
  'compare': () => import('./compare.js'),
  'report': () => import('./report.js'),
  'paper': () => import('./paper.js'),
  'judge': () => import('./judge.js'),
  'tempo info': () => import('./tempoInfo.js'),
  'tempo eval': () => import('./tempoEval.js'),
  'tempo annotate': () => import('./tempoAnnotate.js'),
  'bench-data perturb': () => import('./benchDataPerturb.js'),
  'bench-data beir': () => import('./benchDataBeir.js'),
  'bench-data pool': () => import('./benchDataPool.js'),
  'bench-data re2': () => import('./benchDataRe2.js'),
};
