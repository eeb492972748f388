// Index terms of words by the library's analyzer, for words.py: one word per line in, one term per
// line out. usage: node --import tsx models/train/terms.ts < WORDS
import { readFileSync } from 'node:fs';
import { englishAnalyzer } from '../../lib/text/analyzer.js';

const analyzer = englishAnalyzer();
const words = readFileSync(0, 'utf8').split('\n').slice(0, -1);
process.stdout.write(words.map((word) => `${analyzer.analyze(word)[0] ?? ''}\n`).join(''));
