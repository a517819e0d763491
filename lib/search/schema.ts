import * as z from 'zod';
import { Id } from '@/lib/platform/ids';
import { StorableText } from '@/lib/platform/text';

export const SEARCH_KINDS = [
  'project',
  'api_key',
  'endpoint',
  'subscription',
  'event',
  'delivery',
  'source',
  'destination',
  'incoming_event',
  'tunnel',
  'member',
] as const;

export const SearchQuery = z.strictObject({ q: z.string().trim().min(2).max(200).pipe(StorableText) });
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: Id,
  title: z.string(),
  projectId: Id.nullable(),
  projectName: z.string().nullable(),
  sourceId: Id.nullable(),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchResults = z.object({ results: z.array(SearchResult) });
export type SearchResults = z.infer<typeof SearchResults>;
