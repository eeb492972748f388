// Invented names of people and places, always the same ones.
const given = 'Ada Ben Cora Dov Elin Finn Gwen Hal Ines Jon Kaia Lars Mira Nils Oda Per'.split(' ');
const family =
  'Orr Lind Brenn Tarvel Hask Morrow Quill Sand Vane Wick Yarrow Zell Arden Boyle Crane Dunn'.split(
    ' ',
  );

/** At most 1,024 names of people. */
export const inventedNames = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const [first, last] = [given[at % 16]!, family[(at + Math.floor(at / 16)) % 16]!];
    const middle = Math.floor(at / 256);
    return middle === 0 ? `${first} ${last}` : `${first} ${given[middle]!} ${last}`;
  });

const beginnings = 'Ash Birch Clay Dale Elm Fern Glen Heath Ivy Juniper Kelp Larch'.split(' ');
const endings = 'ford ham mouth ness port ton wick worth'.split(' ');

/** At most 96 names of places. */
export const inventedPlaces = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, at) => `${beginnings[at % 12]!}${endings[(at + Math.floor(at / 12)) % 8]!}`,
  );
