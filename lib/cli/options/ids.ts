// Ids as arguments: how commands describe them.

export const idDetails =
  'ID - stands for the ids on standard input, {id} a line; other fields are ignored.';
