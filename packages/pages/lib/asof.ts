// What the pages use of asof: modules that run in a browser, which its entries do not.
export { splineValue } from '../../../lib/time/splineValue.js';
export { formatDay, parseAskedAt, parseInstant } from '../../../lib/time/instant.js';
