// The terms that lexical search makes of words, for words.py: reads a word a line, prints its term
// a line. The analyzer is the library's own, so that the words' vectors are found by the terms that
// an index has. usage: node --import tsx models/train/terms.ts < WORDS
import { readFileSync } from 'node:fs';
import { englishAnalyzer } from '../../lib/text/analyzer.js';

const analyzer = englishAnalyzer();
const words = readFileSync(0, 'utf8').split('\n').slice(0, -1);
process.stdout.write(words.map((word) => `${analyzer.analyze(word)[0] ?? ''}\n`).join(''));
