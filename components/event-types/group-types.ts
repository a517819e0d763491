import type { CatalogueType } from '@/lib/events/schema';

/** The types of a group; the title of those without one is null. */
export interface TypeGroup {
  title: string | null;
  /** Whether they were sent and are not defined. */
  isSeen: boolean;
  types: CatalogueType[];
}

/** Returns the types by their groups in alphabetical order, then those without a group, then those that are not defined. */
export function groupTypes(types: readonly CatalogueType[]): TypeGroup[] {
  const groups = new Map<string, TypeGroup>();
  for (const type of types) {
    const isSeen = type.status === 'SEEN';
    const key = isSeen ? '2' : type.group === null ? '1' : `0${type.group}`;
    const group = groups.get(key) ?? { title: type.group, isSeen, types: [] };
    group.types.push(type);
    groups.set(key, group);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** Returns the types with a text in name, description or group, in upper or lower case, and with a status. */
export function filterTypes(
  types: readonly CatalogueType[],
  { q = '', status }: { q?: string | undefined; status?: string | undefined },
): CatalogueType[] {
  const text = q.toLowerCase();
  return types.filter(
    (type) =>
      (status === undefined || type.status === status) &&
      [type.name, type.description, type.group].some((each) => each?.toLowerCase().includes(text)),
  );
}
