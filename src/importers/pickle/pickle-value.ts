/**
 * The values of a pickle. Each is a tag and a number: the number itself, or the index of a text, dictionary or list.
 * Python classes, functions and other objects have no tag, and so cannot be represented.
 */
export const tag = {
  /** A place in the memo that nothing was put in. */
  unset: 0,
  none: 1,
  boolean: 2,
  number: 3,
  text: 4,
  dictionary: 5,
  list: 6,
  /** Bytes and sets: plain data that a snapshot does not use. */
  other: 7,
} as const;
