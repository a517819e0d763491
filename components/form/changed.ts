/**
 * Returns the members of a body that differ from what the form showed, so that saving does not undo what others changed meanwhile.
 * @param body what the form has, as the API takes it
 * @param shown what the form showed before it was edited, made in the same way
 */
export function changed<Body extends object>(body: Body, shown: Body): Partial<Body> {
  const before = new Map(Object.entries(shown));
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before.get(name));
  return Object.fromEntries(Object.entries(body).filter(isChanged)) as Partial<Body>;
}
