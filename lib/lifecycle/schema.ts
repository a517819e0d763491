import * as z from 'zod';
import { Id } from '@/lib/platform/ids';

const NamedOrganization = z.object({ id: Id, name: z.string() });

/** What erasing the account would do to each of the person's organizations. */
export const ErasurePreview = z.object({
  /** Deleted with the account: the person is the only member. */
  deletes: z.array(NamedOrganization),
  /**
   * Blocks the erasure: the person is the last owner and there are other members. Another member must become an owner
   * first.
   */
  blocks: z.array(
    NamedOrganization.extend({
      /** All members, including the person. */
      memberCount: z.number().int(),
    }),
  ),
  /** Continues without the person. */
  leaves: z.array(NamedOrganization),
});
export type ErasurePreview = z.infer<typeof ErasurePreview>;
