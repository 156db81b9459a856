/** Where hashes begin, other in every process: nobody can write a file whose values all fall into one slot. */
export const hashSeed = Math.floor(Math.random() * 2 ** 32) | 0;
