// Definition of `asof devices`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'devices',
  summary:
    'Lists the devices that searches can run on: CPU and CUDA, with the reason for any missing.',
  positionals: [],
  options: {},
  details:
    'out with --json: [{device, available, name?, memory?, free_memory?, compute_capability?, ' +
    'build?, reason?}], memory in bytes.',
  example: 'asof devices',
};
