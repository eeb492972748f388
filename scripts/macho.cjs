// What a library of macOS (Mach-O, 64 bits) asks of the system that loads it, read from its load
// commands and symbols.
const { readFileSync } = require('node:fs');

const processors = { 0x01000007: 'x64', 0x0100000c: 'arm64' };
const commands = {
  symbols: 0x2,
  library: 0xc,
  signature: 0x1d,
  build: 0x32,
  weakLibrary: 0x80000018,
};
const external = 1;
const ofAnyImage = 0xfe; // found in whatever the process has loaded

/**
 * The processor, the oldest macOS, whether it is signed, the libraries that the file needs, the
 * names that it defines for others, and those that the process has to have.
 */
function machoOf(file) {
  const bytes = readFileSync(file);
  if (bytes.readUInt32LE(0) !== 0xfeedfacf)
    throw new Error(`Expected ${file} to be a Mach-O file of 64 bits, received something else.`);
  const text = (at) => bytes.toString('latin1', at, bytes.indexOf(0, at));
  const result = {
    processor: processors[bytes.readUInt32LE(4)],
    macos: undefined,
    isSigned: false,
    libraries: [],
    exported: [],
    ofProcess: [],
  };
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; left--) {
    const command = bytes.readUInt32LE(at);
    if (command === commands.build) result.macos = `${bytes[at + 14]}.${bytes[at + 13]}`;
    if (command === commands.signature) result.isSigned = true;
    if (command === commands.library || command === commands.weakLibrary)
      result.libraries.push(text(at + bytes.readUInt32LE(at + 8)));
    if (command === commands.symbols) readSymbols(at);
    at += bytes.readUInt32LE(at + 4);
  }
  return result;

  function readSymbols(command) {
    const [symbols, count, strings] = [8, 12, 16].map((each) => bytes.readUInt32LE(command + each));
    for (let at = symbols; at < symbols + count * 16; at += 16) {
      const type = bytes[at + 4];
      if ((type & external) === 0 || (type & 0xf0) !== 0) continue; // 0xf0: private or for debuggers
      const name = text(strings + bytes.readUInt32LE(at)).replace(/^_/, '');
      if ((type & 0x0e) !== 0) result.exported.push(name);
      else if (bytes[at + 7] === ofAnyImage) result.ofProcess.push(name);
    }
  }
}

module.exports = { machoOf };
