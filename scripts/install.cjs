// Runs on `npm install`. A prebuilt binary that loads means there is nothing to do; otherwise the
// addon is compiled with cmake-js where it is installed (it is in a clone), and a sentence says
// what is missing where it is not.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const root = path.join(__dirname, '..');
const fromSource =
  process.env.npm_config_build_from_source === 'true' || process.env.ASOF_BUILD_FROM_SOURCE === '1';

if (!fromSource) {
  try {
    require('node-gyp-build')(root);
    process.exit(0);
  } catch (error) {
    console.error(
      `asof: no prebuilt binary fits this machine, compiling instead (${error.message.split('\n')[0]})`,
    );
  }
}

let cmakeJs;
try {
  cmakeJs = require.resolve('cmake-js/bin/cmake-js', { paths: [root] });
  require.resolve('node-addon-api', { paths: [root] });
} catch {
  console.error(
    `asof: no prebuilt binary for ${process.platform}-${process.arch}, Node ${process.versions.node}, and nothing to compile one with.\n` +
      '  Expected: a folder prebuilds/<platform>-<arch> that fits, or cmake-js and node-addon-api beside asof.\n' +
      '  Do: npm install cmake-js@8 node-addon-api@8 node-api-headers@1 && npm rebuild asof   (needs CMake 3.21 or later and a C++20 compiler)',
  );
  process.exit(1);
}
const built = spawnSync(
  process.execPath,
  [cmakeJs, 'compile', '-l', 'warn', '-p', '2', '-d', root],
  { stdio: 'inherit', cwd: root },
);
if (built.status !== 0) {
  console.error(
    'asof: the native build failed. It needs CMake 3.21 or later, make or ninja, and a C++20 compiler (Debian, Ubuntu: apt-get install -y cmake ' +
      'g++ make).',
  );
}
process.exit(built.status ?? 1);
