/** Gives each part of a text a key: a guide never changes, so its position identifies a part. */
export function keyed<T>(parts: readonly T[]): { key: string; part: T }[] {
  return parts.map((part, position) => ({ key: String(position), part }));
}
