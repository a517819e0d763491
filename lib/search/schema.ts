import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';
import { StorableText } from '@/lib/platform/text';

export const SEARCH_KINDS = [
  'project',
  'customer',
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
  q: field(
    z.string().trim().min(2).max(200).pipe(StorableText),
    'An id, an idempotency key, the uid of an endpoint, the beginning of the uid or name of a customer, or at least 2 characters of another name, a URL, description or email address, in upper or lower case',
    'billing',
  ),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchResult = z.object({
  kind: field(z.enum(SEARCH_KINDS), 'What was found'),
  id: Id,
  title: field(z.string(), 'Its name, URL and description, type, method or state'),
  projectId: field(Id.nullable(), 'The project it belongs to; null for a member'),
  projectName: field(z.string().nullable(), 'The name of the project; null for a member'),
  sourceId: field(Id.nullable(), 'The source of a destination or incoming event; null for anything else'),
});
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchResults = z.object({
  results: field(z.array(SearchResult), 'At most five of each kind, newest first'),
});
export type SearchResults = z.infer<typeof SearchResults>;
