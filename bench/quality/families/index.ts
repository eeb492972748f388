// The families that are built from packages of registries.
import { appReleases } from './appReleases/index.js';
import { changelogs } from './changelogs/index.js';
import { currencies } from './currencies/index.js';
import { distributions } from './distributions/index.js';
import type { FamilyDefinition } from './family.js';
import { gnuNews } from './gnuNews/index.js';
import { holidays } from './holidays/index.js';
import { measurements } from './measurements/index.js';
import { missionLog } from './missionLog/index.js';
import { offices } from './offices/index.js';
import { priceIndex } from './priceIndex/index.js';
import { releaseNotes } from './releaseNotes/index.js';
import { whatsNew } from './whatsNew/index.js';
import { zoneRules } from './zoneRules/index.js';

export const families: readonly FamilyDefinition[] = [
  appReleases,
  changelogs,
  currencies,
  distributions,
  gnuNews,
  holidays,
  measurements,
  missionLog,
  offices,
  priceIndex,
  releaseNotes,
  whatsNew,
  zoneRules,
];
