import * as z from 'zod';
import { Id } from '@/lib/platform/ids';

const NamedOrganization = z.object({
  id: Id,
  name: z.string().meta({ description: 'Its name', examples: ['Analytical Engines'] }),
});

/** What erasing the account would do to each of the person's organizations. */
export const ErasurePreview = z.object({
  deletes: z
    .array(NamedOrganization)
    .meta({ description: 'Organizations that are deleted with the account, because the person is the only member' }),
  blocks: z
    .array(
      NamedOrganization.extend({
        memberCount: z.number().int().meta({ description: 'Number of members, including the person' }),
      }),
    )
    .meta({
      description:
        'Organizations that block the erasure, because the person is the last owner and there are other members. Another member must ' +
        'become an owner first',
    }),
  leaves: z.array(NamedOrganization).meta({ description: 'Organizations that remain without the person' }),
});
export type ErasurePreview = z.infer<typeof ErasurePreview>;
