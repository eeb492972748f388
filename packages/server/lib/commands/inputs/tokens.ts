// Bearer tokens of servers: the variable ASOF_TOKEN, one or several between commas.

/** Not an option: every user of a machine can see arguments. */
export function tokensOfEnvironment(): string[] {
  return (process.env['ASOF_TOKEN'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
