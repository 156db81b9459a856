/**
 * Describes what is wrong with a file, or with a request for it, as the rest of a sentence: "its footer is cut off".
 */
export class BadParquet extends Error {}
