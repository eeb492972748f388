// What calls of the AI SDK's models have in common. Own types, so that the SDK is no dependency.
import { checkOptionNames, mustBe } from 'asof/kit';
import type { AiSdkProviderOptions } from 'asof/models';

export interface AiSdkCallOptions {
  abortSignal?: AbortSignal | undefined;
  providerOptions?: AiSdkProviderOptions | undefined;
}

/**
 * The options of a call for this provider: `providerOptions: { asof: { ... } }`.
 * @throws AsOfError ERR_INVALID_ARGUMENT for names other than those
 */
export function optionsOfCall(
  { providerOptions = {} }: AiSdkCallOptions,
  names: readonly string[],
): Record<string, unknown> {
  mustBe('an object', { providerOptions });
  const given = providerOptions['asof'] ?? {};
  checkOptionNames('providerOptions.asof', given, names);
  return given;
}
