// What the rules of the recency filter find in pairs made to mislead, and how long they take: `node
// --import tsx bench/quality/facts/versionPairs.ts [--misses]`. Precision and recall on the
// pairs that rules were mended by and on those held out, then p50 and p99 of votes on 50 candidates
// that were not read before and that were, and on 1,000. It asks no model and needs no data.
import { loadavg } from 'node:os';
import { parseArgs } from '../../options.js';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';
import type { Passage } from '../../../lib/index.js';
import { furtherPairs } from '../../../test/facts/versions/pairs/further.js';
import { framedPairs } from '../../../test/facts/versions/pairs/frames.js';
import { heldOutPairs } from '../../../test/facts/versions/pairs/heldOut.js';
import { tally } from '../../../test/facts/versions/pairs/pair.js';
import { tunedPairs } from '../../../test/facts/versions/pairs/tuned.js';
import { describeMachine, machine } from '../../machine.js';

const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });
console.log(
  `${describeMachine(machine())}\nload ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`,
);
const halves = [
  ['mended by', [...tunedPairs, ...furtherPairs]],
  ['held out', heldOutPairs],
  ['frames', framedPairs],
] as const;
for (const [name, pairs] of halves) {
  const { conflicts, precision, recall, wronglyDropped, missed } = await tally(pairs);
  console.log(
    `${name.padEnd(10)} ${pairs.length} pairs, ${conflicts} of them conflicts: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, ` +
      `dropped wrongly ${wronglyDropped.length}, missed ${missed.length}`,
  );
  if (!values.misses) continue;
  for (const [kind, , older, newer] of wronglyDropped)
    console.log(`  dropped wrongly, ${kind}: ${older} | ${newer}`);
  for (const [kind, , older, newer] of missed)
    console.log(`  missed, ${kind}: ${older} | ${newer}`);
}

/** Candidates as a question finds them: versions of a few facts, and others that resemble them. */
function candidates(count: number, round: number): Passage[] {
  const towns = ['Tromvik', 'Ostrand', 'Lunden', 'Halvard', 'Vesterby'];
  const skies = ['rain', 'sun', 'clouds', 'snow showers'];
  return Array.from({ length: count }, (_, at): Passage => {
    const town = towns[(at + round) % towns.length]!;
    const day = new Date(Date.UTC(2025, 2, 1 + (at % 7))).toISOString().slice(0, 10);
    const forms = [
      `The forecast for ${town} on ${day} calls for ${skies[(at + round) % 4]} with a high near ${40 + ((at * 7 + round) % 30)}°F.`,
      `By ${day}, ${town} had counted ${1000 + ((at * 37 + round) % 900)} visitors in its harbour.`,
      `The mayor of ${town} said that round ${round} of the talks about the ferry to ${towns[(at + 2) % 5]} would cost $${3 + (at % 5)}.50 a head.`,
    ];
    return { id: `p${at}`, text: forms[at % 3]!, publishedAt: Date.UTC(2025, 1, 1 + (at % 25)) };
  });
}

async function time(count: number, rounds: number, fresh: boolean): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const passages = candidates(count, fresh ? round : 0);
    const started = performance.now();
    await voteOnVersions(
      { text: 'How warm does it get in Tromvik on 3 March 2025?', askedAt: '2025-03-01' },
      passages,
    );
    if (round >= rounds / 5) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
console.log(`50 candidates, new ones each time: ${await time(50, 250, true)}`);
console.log(`50 candidates, the same ones:      ${await time(50, 250, false)}`);
console.log(`1,000 candidates:                  ${await time(1000, 10, true)}`);
