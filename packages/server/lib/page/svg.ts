// SVG elements; text is inserted as text nodes.
type Value = string | number | undefined;

export function s<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: (SVGElement | string | undefined)[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(key, String(value));
  element.append(...children.filter((each) => each !== undefined));
  return element;
}

/** A coordinate to a hundredth of a pixel. */
export const px = (value: number): number => Math.round(value * 100) / 100;
