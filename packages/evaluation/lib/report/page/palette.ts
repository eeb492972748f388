// Colour and dash of each system, the same in all figures: Okabe and Ito's palette, with variants
// of one system in one colour and different dashes.
const colours = 7;
const dashes = ['', '6 3', '1.5 3', '8 3 1.5 3'];

export interface SystemStyle {
  colour: string;
  dash: string;
}

/**
 * Styles by name, in the order of the result; the first family has the palest colour. Colours
 * repeat with another dash after seven families.
 */
export function systemStyles(names: readonly string[]): ReadonlyMap<string, SystemStyle> {
  const families = [...new Set(names.map(familyOf))];
  const seen = new Map<string, number>();
  return new Map(
    names.map((name) => {
      const family = families.indexOf(familyOf(name));
      const form = seen.get(familyOf(name)) ?? 0;
      seen.set(familyOf(name), form + 1);
      const dash = dashes[(form + Math.floor(family / colours)) % dashes.length]!;
      return [name, { colour: `var(--series-${family % colours})`, dash }];
    }),
  );
}

const familyOf = (name: string): string => name.split('+')[0]!;
