import { personOrKey } from '@/lib/api/callers';
import { openChangeStream } from '@/lib/changes/open-change-stream';
import { ChangesQuery } from '@/lib/changes/schema';
import { downloadHead } from '@/lib/http/download';
import { route } from '@/lib/http/route';
import { findTenant, organizationOf } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';

const CONTENT_TYPE = 'text/event-stream';

export const watch = route({
  summary:
    'Watch the lists of a project. The event `change` says which of `events`, `deliveries`, `incomingEvents` and ' +
    '`tunnelRequests` have changed. Read those again.',
  // Everybody who may read a project may read its lists.
  caller: personOrKey('project.read', 'read'),
  params: ['projectId'],
  query: ChangesQuery,
  response: { status: 200, contentType: CONTENT_TYPE },
  errors: ['rate_limited'],
  // Behind Next, a stream would not end with its client.
  servedBy: 'node',
  handler: async ({ caller, params, query, request, whileAllowed }) => {
    if (request.method === 'HEAD') return downloadHead(CONTENT_TYPE);
    const { projectId } = params;
    const content = openChangeStream({
      ...(await findTenant(organizationOf(caller))),
      projectId,
      callerId: caller.type === 'key' ? caller.keyId : caller.userId,
      lifeMs: query.seconds * SECOND_MS,
      whileAllowed,
    });
    // A proxy must not hold the events back.
    return {
      status: 200,
      raw: { contentType: CONTENT_TYPE, content: () => content },
      headers: { 'X-Accel-Buffering': 'no' },
    };
  },
});
