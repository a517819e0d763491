'use client';

import { useParams } from 'next/navigation';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch, fetchFromApi } from '@/components/auth-session/api-fetch';
import { withQuery } from '@/components/data-table/url-filters';
import { type CursorPage, readAll } from '@/components/data-table/use-pages';
import { changed } from '@/components/form/changed';
import { useProjectPath } from '@/components/projects/use-projects';
import { useResource } from '@/components/projects/use-resource';
import type { Subscription } from '@/lib/delivery/schema';
import type { CatalogueType, EventListItem, InferredSchema } from '@/lib/events/schema';

/** What a person enters of a type. Schema and example are JSON as it was typed, and empty for none: numbers keep their digits. */
export interface TypeValues {
  name: string;
  description: string;
  group: string;
  status: 'ACTIVE' | 'DEPRECATED';
  schema: string;
  example: string;
}

/** Types that the page shows at most: as many as a catalogue may have by default. */
export const MAX_SHOWN = 1_000;

/** Loads the types of the project, by name. */
export function useCatalogue() {
  const path = useProjectPath('event-types');
  return useSWR([path, 'all'], () => readAll<CatalogueType>(path, MAX_SHOWN, fetchFromApi));
}

/** Loads the type of the page and returns its actions. */
export function useEventType() {
  const { name } = useParams<{ name: string }>();
  const resource = useResource<CatalogueType>(`event-types/${name}`);
  const path = useProjectPath('event-types');
  return {
    ...resource,
    define: async (values: TypeValues) => resource.show(await saveType(path, 'POST', typeMembers(values))),
    save: async (values: TypeValues, shown: TypeValues) =>
      resource.show(await saveType(resource.path, 'PATCH', typeChange(values, shown))),
  };
}

/** The members of a request body, each as JSON. */
type TypeMembers = Partial<Record<keyof TypeValues, string>>;

/** Returns what defines a type. */
export function typeMembers({ name, description, group, status, schema, example }: TypeValues): TypeMembers {
  return {
    name: JSON.stringify(name.trim()),
    description: JSON.stringify(description.trim() || null),
    group: JSON.stringify(group.trim() || null),
    status: JSON.stringify(status),
    schema: schema.trim() || 'null',
    example: example.trim() || 'null',
  };
}

/** Returns what changes a type from what the form showed. */
export const typeChange = (values: TypeValues, shown: TypeValues): TypeMembers =>
  changed(typeMembers(values), typeMembers(shown));

/** Defines or changes a type. @throws ApiError whose messages have the place in the schema or the example */
export function saveType(path: string, method: 'POST' | 'PATCH', members: TypeMembers): Promise<CatalogueType> {
  const pairs = Object.entries(members).map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  const bodyText = `{${pairs.join(',')}}`;
  return apiFetch<CatalogueType>(path, { method, bodyText }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const errors = error.errors.map(({ path: at, message }) => {
      const [, field, place] = /^(schema|example)\.(.+)$/.exec(at) ?? [];
      return field === undefined ? { path: at, message } : { path: field, message: `${place}: ${message}` };
    });
    throw new ApiError({ ...error, errors });
  });
}

/** Asks for a schema that the newest events of a type satisfy. */
export function inferSchema(path: string, name: string): Promise<InferredSchema> {
  return apiFetch<InferredSchema>(`${path}/${name}/infer`, { method: 'POST' });
}

/** How many of the newest events of a type are looked at for who sends them. */
export const LOOKED_AT = 100;

/** Loads the newest events of a type; undefined while they load. */
export function useNewestEvents(name: string) {
  const path = withQuery(useProjectPath('events'), { type: name, limit: LOOKED_AT });
  const { data, error } = useSWR<CursorPage<EventListItem>>(path);
  return error ? [] : data?.data;
}

/** Loads the first hundred subscriptions that events of a type match; undefined while they load. */
export function useMatchingSubscriptions(name: string) {
  const path = withQuery(useProjectPath('subscriptions'), { matches: name, limit: 100 });
  const { data, error } = useSWR<CursorPage<Subscription>>(path);
  if (error) return { subscriptions: [], hasMore: false };
  return { subscriptions: data?.data, hasMore: data?.nextCursor != null };
}
