import * as z from 'zod';
import { field } from '@/lib/platform/field';
import { Id } from '@/lib/platform/ids';

const NamedOrganization = z.object({
  id: Id,
  name: field(z.string(), 'Its name', 'Analytical Engines'),
});

/** What erasing the account would do to each of the person's organizations. */
export const ErasurePreview = z.object({
  deletes: field(
    z.array(NamedOrganization),
    'Organizations that are deleted with the account, because the person is the only member',
  ),
  blocks: field(
    z.array(
      NamedOrganization.extend({
        memberCount: field(z.number().int(), 'Number of members, including the person'),
      }),
    ),
    'Organizations that block the erasure, because the person is the last owner and there are other members. Another member must ' +
      'become an owner first',
  ),
  leaves: field(z.array(NamedOrganization), 'Organizations that remain without the person'),
});
export type ErasurePreview = z.infer<typeof ErasurePreview>;
