// Call budget of a text model. Below a cache, cached answers do not count.
import { AsOfError, type TextModel } from 'asof';
import { mustBeWhole, checkTextModel } from 'asof/kit';

/**
 * A model limited to `calls` calls, a whole number from 0, by default unlimited; `calls` of the
 * result counts them. Calls beyond the limit reject with ERR_MODEL_FAILED and `budget` in the
 * details.
 */
export function budgetedModel(
  model: TextModel,
  calls = Infinity,
): TextModel & { readonly calls: number } {
  checkTextModel(model);
  if (calls !== Infinity) mustBeWhole({ calls }, 0);
  let made = 0;
  return {
    id: model.id,
    contextSize: model.contextSize,
    templates: model.templates,
    get calls() {
      return made;
    },
    async generate(request) {
      if (made >= calls) throw budgetExhausted(model.id, calls);
      made += 1;
      return model.generate(request);
    },
  };
}

export const isBudgetExhausted = (error: unknown): boolean =>
  AsOfError.is(error) && 'budget' in error.details;

function budgetExhausted(model: string, budget: number): AsOfError {
  const message =
    `Expected at most ${budget} calls of ${model}, received another one. Raise the budget; with a ` +
    'cache, known requests make no calls.';
  return new AsOfError('ERR_MODEL_FAILED', message, { details: { model, budget } });
}
