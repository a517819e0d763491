import { noContent, ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { eraseAccount } from '@/lib/lifecycle/erase-account';
import { previewErasure } from '@/lib/lifecycle/preview-erasure';
import { ErasurePreview } from '@/lib/lifecycle/schema';
import { person } from './callers';
import { clearedRefreshCookie } from './refresh-cookie';

export const eraseOwnAccount = route({
  summary: 'Erase the account of the signed-in person, at once and for ever.',
  caller: person(),
  answers: { status: 204 },
  handler: async ({ caller }) => {
    await eraseAccount(caller);
    return noContent({ cookies: [clearedRefreshCookie()] });
  },
});

export const previewOwnErasure = route({
  summary: 'Tell what erasing the account would do to each organization of the signed-in person.',
  caller: person(),
  answers: { status: 200, schema: ErasurePreview },
  handler: async ({ caller }) => ok(await previewErasure(caller)),
});
