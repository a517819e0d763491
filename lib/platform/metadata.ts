import * as z from 'zod';
import { field } from './field';
import { MAX_METADATA_BYTES, MAX_METADATA_MEMBERS, metadataBytes } from './metadata-policy';
import { smallRecord } from './small-record';
import { StorableText } from './text';

/** What callers keep with a resource: names and texts, which the service shows and never sends. */
export const Metadata = smallRecord(StorableText.min(1, 'must not be empty'), StorableText, {
  max: MAX_METADATA_MEMBERS,
  message: `must have at most ${MAX_METADATA_MEMBERS} members`,
}).refine((given) => metadataBytes(given) <= MAX_METADATA_BYTES, 'must have at most 4 KiB');
export type Metadata = z.infer<typeof Metadata>;

const MEANING = 'What you keep with it: at most 20 names with texts, 4 KiB of JSON. Shown, never sent';
const EXAMPLE = { plan: 'enterprise' };

/** The field of bodies that create a resource, of those that change it, and of the resource. */
export const METADATA = {
  create: field(Metadata.default({}), MEANING, EXAMPLE),
  update: field(Metadata.optional(), `${MEANING}. Replaces all of it`, EXAMPLE),
  shown: field(z.record(z.string(), z.string()), 'What you keep with it', EXAMPLE),
};
