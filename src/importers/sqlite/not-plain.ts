/**
 * Thrown if pages contain something that only SQLite reads correctly: a feature that nsys does not use, or damage. The
 * caller then starts again with SQLite; this error never leaves the importers.
 */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}
