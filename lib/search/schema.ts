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

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(2)
    .max(200)
    .pipe(StorableText)
    .meta({
      description: 'An id, or at least 2 characters of a name, URL or email address; case-insensitive',
      examples: ['billing'],
    }),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS).meta({ description: 'What was found' }),
  id: Id,
  title: z.string().meta({ description: 'Its name, URL, type, method or state' }),
  projectId: Id.nullable().meta({ description: 'The project it belongs to; null for a member' }),
  projectName: z.string().nullable().meta({ description: 'The name of the project; null for a member' }),
  sourceId: Id.nullable().meta({
    description: 'The source of a destination or incoming event; null for anything else',
  }),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchResults = z.object({
  results: z.array(SearchResult).meta({ description: 'At most five of each kind, newest first' }),
});
export type SearchResults = z.infer<typeof SearchResults>;
