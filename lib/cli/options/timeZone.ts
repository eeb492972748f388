// Option --time-zone: the zone whose days are meant.
export const timeZoneOption = (help: string) =>
  ({ type: 'string', value: 'ZONE', help: `IANA name, such as Europe/London: ${help}` }) as const;
