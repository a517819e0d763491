/** Shortens an id to its last eight characters, since a UUIDv7 starts with its time. */
export function shortId(id: string): string {
  return `…${id.slice(-8)}`;
}
