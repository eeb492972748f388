// What holds of every public name, in one process, since the compiler takes seconds to read them.
import './publicNames.js';
import './conventions/aborts.js';
import './conventions/optionalProperties.js';
