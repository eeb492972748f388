// The addon built for tests and benchmarks: binding.d.ts, and the kernel families and process
// controls of test/native/addon/testBinding.d.ts.
import './selectAddon.js';
import type * as Binding from '../binding.js';
import type * as TestBinding from './native/addon/testBinding.js';
import { binding } from '../lib/binding.js';

if (!('setIsa' in binding))
  throw new Error(
    'Expected the addon built for tests, received the shipped one. Build it (npm run ' +
      'build:native), ' +
      'and import test/selectAddon.ts before any module of lib/.',
  );

export const addon = binding as typeof Binding & typeof TestBinding;
