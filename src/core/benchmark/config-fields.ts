import {TraceError} from '../base/errors.js';
import {isCount, isFields, type JsonFields} from '../base/read-json.js';

/** Reads the fields of a JSON object one by one; an error is one sentence that names the field. */
export class ConfigFields {
  readonly #fields: JsonFields;
  readonly #asked = new Set<string>();

  /** @throws TraceError `bench/bad-config` if the value is not an object */
  constructor(
    value: unknown,
    private readonly what: string,
  ) {
    if (!isFields(value)) throw badConfig(`${what} is not an object.`);
    this.#fields = value;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): unknown {
    this.#asked.add(key);
    return Object.hasOwn(this.#fields, key) ? this.#fields[key] : undefined;
  }

  text(key: string): string | null {
    const value = this.get(key);
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw this.bad(key, 'a text');
  }

  /** Reads an integer of at least `least`. */
  count(key: string, otherwise: number, least = 1): number {
    const value = this.get(key);
    if (value === undefined) return otherwise;
    if (isCount(value, least)) return value;
    throw this.bad(key, `a whole number from ${String(least)} on`);
  }

  /** Reads the values of an axis: a list, or a single value. */
  list<Value>(
    key: string,
    otherwise: readonly Value[],
    what: string,
    read: (value: unknown) => Value | null,
  ): readonly Value[] {
    const value = this.get(key);
    if (value === undefined) return otherwise;
    const values = (Array.isArray(value) ? (value as unknown[]) : [value]).map(read);
    if (values.length > 0 && values.every(one => one !== null)) return values;
    throw this.bad(key, what);
  }

  /** @throws TraceError `bench/bad-config` if there is a field that was not read: typos must not be ignored */
  end(): void {
    const unknown = Object.keys(this.#fields).find(key => !this.#asked.has(key));
    if (unknown === undefined) return;
    throw badConfig(`${this.what} has "${unknown}", which is none of ${Array.from(this.#asked).sort().join(', ')}.`);
  }

  bad(key: string, what: string): TraceError {
    return badConfig(`"${key}" of ${this.what.toLowerCase()} must be ${what}.`);
  }
}

export function badConfig(sentence: string): TraceError {
  return new TraceError('bench/bad-config', sentence);
}
