/**
 * What a value of a pickle is. Every value is a tag and a number: the number itself, the number of a text, or the
 * number of a dictionary or list. No Python class, function or other object has a tag: there is no way to tell of one.
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
  /** Bytes, sets: plain data that a snapshot has no use for. */
  other: 7,
} as const;
