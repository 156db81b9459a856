/** Returns the names that an object has, which must be all of `Name`. */
export function namesOf<Name extends string>(names: Readonly<Record<Name, true>>): readonly Name[] {
  return Object.keys(names) as Name[];
}
