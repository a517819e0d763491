import { person } from '@/lib/api/callers';
import { noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { changeRole, listMembers, removeMember } from '@/lib/orgs/members';
import { Member, UpdateMemberBody } from '@/lib/orgs/schema';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

export const list = route({
  summary: 'List the members of an organization.',
  caller: person('member.read'),
  params: ['orgId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Member) },
  handler: async ({ caller, query }) => ok(await listMembers(caller, query)),
});

export const update = route({
  summary: 'Change a member’s role; only owners can make or change owners.',
  caller: person('member.manage'),
  params: ['orgId', 'userId'],
  body: UpdateMemberBody,
  errors: ['last_owner'],
  response: { status: 200, schema: Member },
  handler: async ({ caller, params, body }) => ok(await changeRole(caller, params.userId, body)),
});

export const remove = route({
  summary: 'Remove a member, or leave an organization; everyone except the last owner can leave.',
  caller: person('member.leave'),
  params: ['orgId', 'userId'],
  errors: ['last_owner'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await removeMember(caller, params.userId);
    return noContent();
  },
});
