/** The start of hashes, different in every process, so that nobody can craft a file whose values all collide. */
export const hashSeed = Math.floor(Math.random() * 2 ** 32) | 0;
