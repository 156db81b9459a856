/** Says what is wrong with a file, or with what is asked of it, as the rest of a sentence: "its footer is cut off". */
export class BadParquet extends Error {}
