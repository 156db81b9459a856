/**
 * Thrown where pages hold something that only SQLite reads rightly: a feature nsys does not use, or damage. Whoever asked
 * starts again with SQLite; it leaves the importers never.
 */
export class NotPlain extends Error {
  override readonly name = 'NotPlain';
}
