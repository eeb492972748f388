// Mocha's spec reporter with a closing line that any continuous-integration reader understands.
const { reporters, Runner } = require('mocha');

class ClosingLine extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
    });
  }
}

module.exports = ClosingLine;
