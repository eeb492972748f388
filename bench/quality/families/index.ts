// The families that are built from packages of registries.
import type { FamilyDefinition } from './family.js';
import { holidays } from './holidays/index.js';
import { missionLog } from './missionLog/index.js';
import { offices } from './offices/index.js';

export const families: readonly FamilyDefinition[] = [holidays, missionLog, offices];
