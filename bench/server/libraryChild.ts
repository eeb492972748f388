// The library's own side of bench/server/latency.ts: answers questions in its process on demand.
import { Corpus } from '../../lib/index.js';
import { toJson } from '../../lib/systems/json.js';
import { createSystem } from '../../lib/papers/index.js';
import { closedLoop } from './load.js';

interface Round {
  clients: number;
  seconds: number;
  json: boolean;
  questions: { text: string; asked_at?: string }[];
}

const corpus = await Corpus.open(process.argv[2]!, { readOnly: true });
const system = createSystem(process.argv[3]!, { corpus });
process.on('message', ({ clients, seconds, json, questions }: Round) => {
  const ask = async (at: number): Promise<void> => {
    const { text, asked_at: askedAt } = questions[at % questions.length]!;
    const result = await system.run({ text, askedAt });
    if (json) JSON.stringify(toJson.result(result, system.name));
  };
  void closedLoop(clients, seconds, ask).then((latencies) => process.send!(latencies));
});
process.send!('ready');
