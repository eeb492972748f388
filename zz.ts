import { readOperator } from './lib/time/question/operator.js';
const subj = ['the mill', 'the town', 'Ann Bell', 'the Acme board', 'Norway', 'the club', 'my sister', 'the API', 'the river', 'team Rocket'];
const forms = ['What did S do in Y?', 'Who ran S in Y?', 'What was the budget of S in Y?', 'what happened to S in Y', 'Which changes did S make in Y?', 'S in Y', 'How many people lived near S in Y?', 'Where was S in Y?', 'who led S as of Y', 'What was said about S before Y?', 'What did S decide after Y?', 'Did S move in March Y?', 'S revenue Y', 'In Y, who chaired S?'];
let bad = 0, n = 0; const by: Record<string, number> = {};
for (const f of forms) for (const s of subj) for (let y = 1900; y <= 2023; y += 3) { const text = f.replace('S', s).replace('Y', String(y)); const o = readOperator({ text, askedAt: '2024-06-01' }); n++; if (!Number.isFinite(o.window.start) && !Number.isFinite(o.window.end)) { bad++; by[f] = (by[f] ?? 0) + 1; } }
console.log(n, bad, JSON.stringify(by));
