// `npm run make-prebuilds`: builds the addon for this machine and puts it into prebuilds/, where node-gyp-build finds it.
// (A script called `prebuild` would run before every `build`.)
const path = require('node:path');
const prebuildify = require('prebuildify');

prebuildify(
  { napi: true, strip: true, tagLibc: true, name: 'asof', targets: [], nodeGyp: path.join(__dirname, 'cmake-js-as-node-gyp.cjs') },
  (error) => {
    if (!error) return;
    console.error(error);
    process.exit(1);
  },
);
