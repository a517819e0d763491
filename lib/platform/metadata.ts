import * as z from 'zod';
import { field } from './field';
import { StorableText } from './text';

const MAX_MEMBERS = 20;
const MAX_BYTES = 4 * 1024;

/** What callers keep with a resource: names and texts, which the service shows and never sends. */
export const Metadata = z
  .record(StorableText.min(1, 'must not be empty'), StorableText)
  .refine((given) => Object.keys(given).length <= MAX_MEMBERS, `must have at most ${MAX_MEMBERS} members`)
  .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= MAX_BYTES, 'must have at most 4 KiB');
export type Metadata = z.infer<typeof Metadata>;

const MEANING = 'What you keep with it: at most 20 names with texts, 4 KiB of JSON. Shown, never sent';
const EXAMPLE = { plan: 'enterprise' };

/** The field of bodies that create a resource, of those that change it, and of the resource. */
export const METADATA = {
  create: field(Metadata.default({}), MEANING, EXAMPLE),
  update: field(Metadata.optional(), `${MEANING}. Replaces all of it`, EXAMPLE),
  shown: field(z.record(z.string(), z.string()), 'What you keep with it', EXAMPLE),
};
