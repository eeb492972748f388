// Commands that `asof` has where @asof/training is installed, each loaded when it is called.
import type { Commands } from 'asof/command';

export const commands: Commands = {
  'train weights': () => import('./trainWeights.js'),
  'train mine': () => import('./trainMine.js'),
  'train adapter': () => import('./trainAdapter.js'),
  'train lora': () => import('./trainLora.js'),
  'train re3': () => import('./trainRe3.js'),
};
