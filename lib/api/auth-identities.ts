import * as z from 'zod';
import { listIdentities } from '@/lib/accounts/list-identities';
import { Identity } from '@/lib/accounts/schema';
import { ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { person } from './callers';

export const listOwnIdentities = route({
  summary: 'List the identity providers that the signed-in person can sign in through.',
  caller: person(),
  answers: { status: 200, schema: z.object({ data: z.array(Identity) }) },
  handler: async ({ caller }) => ok({ data: await listIdentities(caller) }),
});
