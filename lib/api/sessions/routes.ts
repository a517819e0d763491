import { person } from '@/lib/api/callers';
import { clearedSessionCookies } from '@/lib/api/refresh-cookie';
import { closeOwnSession, closeOwnSessions } from '@/lib/auth/close-sessions';
import { CloseSessionsQuery, Session } from '@/lib/auth/schema';
import { listSessions } from '@/lib/auth/sessions';
import { noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

export const list = route({
  summary: 'List your active sessions.',
  caller: person(),
  query: PageQuery,
  response: { status: 200, schema: listingOf(Session) },
  handler: async ({ caller, query }) => ok(await listSessions(caller, query)),
});

export const close = route({
  summary: 'Close one of your sessions; its tokens stop working immediately.',
  caller: person(),
  params: ['sessionId'],
  response: { status: 204, setsCookies: true },
  handler: async ({ caller, params }) => {
    await closeOwnSession(caller, params.sessionId);
    return noContent(params.sessionId === caller.sessionId ? { cookies: clearedSessionCookies() } : {});
  },
});

export const closeAll = route({
  summary: 'Close all of your sessions, or all except the current one.',
  caller: person(),
  query: CloseSessionsQuery,
  response: { status: 204, setsCookies: true },
  handler: async ({ caller, query }) => {
    await closeOwnSessions(caller, query);
    return noContent(query.keepCurrent ? {} : { cookies: clearedSessionCookies() });
  },
});
