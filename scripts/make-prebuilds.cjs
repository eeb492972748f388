// `npm run make-prebuilds`: builds the addon for this machine and puts it into prebuilds/, where
// node-gyp-build finds it, next to the CUDA library where `npm run build:cuda` has made one.
// (A script called `prebuild` would run before every `build`.)
const fs = require('node:fs');
const path = require('node:path');
const prebuildify = require('prebuildify');

prebuildify(
  {
    napi: true,
    strip: true,
    tagLibc: true,
    name: 'asof',
    targets: [],
    nodeGyp: path.join(__dirname, 'cmake-js-as-node-gyp.cjs'),
  },
  (error) => {
    if (error) {
      console.error(error);
      process.exit(1);
    }
    const root = path.join(__dirname, '..');
    const library = path.join(root, 'build-cuda', 'asof_cuda.so');
    if (fs.existsSync(library))
      fs.copyFileSync(
        library,
        path.join(root, 'prebuilds', `${process.platform}-${process.arch}`, 'asof_cuda.so'),
      );
  },
);
