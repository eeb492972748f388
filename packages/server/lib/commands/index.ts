// Commands that `asof` has where @asof/server is installed, each loaded when it is called.
import type { Commands } from 'asof/command';

export const commands: Commands = {
  'serve': () => import('./serve.js'),
  'mcp': () => import('./mcp.js'),
};
