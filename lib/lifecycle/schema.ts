import * as z from 'zod';
import { Id } from '@/lib/platform/ids';

const NamedOrganization = z.object({ id: Id, name: z.string() });

/** What erasing the account would do to each of the person's organizations (spec 8.4). */
export const ErasurePreview = z.object({
  /** The person is the only member: deleted with them. */
  deletes: z.array(NamedOrganization),
  /** Nobody else owns these, and others belong to them: ownership has to be handed over first. */
  blocks: z.array(
    NamedOrganization.extend({
      /** All members, the person among them. */
      memberCount: z.number().int(),
    }),
  ),
  /** These go on without the person. */
  leaves: z.array(NamedOrganization),
});
export type ErasurePreview = z.infer<typeof ErasurePreview>;
