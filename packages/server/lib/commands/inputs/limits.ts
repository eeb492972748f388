// Limits of a server, as its options give them.
import type { ServerLimits } from '../../http/limits.js';
import { countOption, type Command, type Invocation } from 'asof/command';

export function limitsOf(invocation: Invocation, command: Command): ServerLimits {
  const count = (name: string, most: number): number | undefined =>
    countOption(invocation, command, name, { most });
  const bytes = (name: string, most: number): number | undefined => {
    const megabytes = count(name, most);
    return megabytes === undefined ? undefined : megabytes * 1_000_000;
  };
  return {
    seconds: count('time-limit', 86_400),
    inFlight: count('in-flight', 100_000),
    bodyBytes: bytes('body-limit', 1000),
    answerBytes: bytes('answer-limit', 1000),
    bufferBytes: bytes('buffer-limit', 1_000_000),
    connections: count('connections', 100_000),
  };
}
