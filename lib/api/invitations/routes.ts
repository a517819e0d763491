import { anyone, person } from '@/lib/api/callers';
import { created, noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import {
  acceptInvitation,
  createInvitation,
  createInvitationLink,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '@/lib/orgs/invitations/invitations';
import {
  AcceptedInvitation,
  CreatedInvitation,
  CreateInvitationBody,
  Invitation,
  InvitationLink,
  InvitationPreview,
  InvitationTokenBody,
} from '@/lib/orgs/schema';
import { listingOf, PageQuery } from '@/lib/platform/pagination';

export const list = route({
  summary: 'List the pending invitations to an organization.',
  caller: person('invitation.manage'),
  params: ['orgId'],
  query: PageQuery,
  response: { status: 200, schema: listingOf(Invitation) },
  handler: async ({ caller, query }) => ok(await listInvitations(caller, query)),
});

export const create = route({
  summary: 'Invite an email address to an organization; this replaces its pending invitation.',
  caller: person('invitation.manage'),
  params: ['orgId'],
  body: CreateInvitationBody,
  errors: ['limit_reached', 'conflict', 'rate_limited'],
  response: { status: 201, schema: CreatedInvitation },
  handler: async ({ caller, body }) => created(await createInvitation(caller, body)),
});

export const createLink = route({
  summary:
    'Create a link to a pending invitation, to pass on yourself. It replaces the previous link. Accepting with it does ' +
    'not verify the address.',
  caller: person('invitation.manage'),
  params: ['orgId', 'invitationId'],
  response: { status: 201, schema: InvitationLink },
  handler: async ({ caller, params }) => created(await createInvitationLink(caller, params.invitationId)),
});

export const revoke = route({
  summary: 'Revoke a pending invitation; its link stops working immediately.',
  caller: person('invitation.manage'),
  params: ['orgId', 'invitationId'],
  response: { status: 204 },
  handler: async ({ caller, params }) => {
    await revokeInvitation(caller, params.invitationId);
    return noContent();
  },
});

export const accept = route({
  summary: 'Accept an invitation to your email address.',
  caller: person(),
  body: InvitationTokenBody,
  errors: ['invalid_token', 'limit_reached'],
  response: { status: 200, schema: AcceptedInvitation },
  handler: async ({ caller, body }) => ok(await acceptInvitation(caller, body.token)),
});

export const preview = route({
  summary: 'Preview an emailed invitation; the token stays valid.',
  caller: anyone(),
  body: InvitationTokenBody,
  errors: ['invalid_token', 'rate_limited'],
  response: { status: 200, schema: InvitationPreview },
  handler: async ({ caller, body }) => ok(await previewInvitation(caller, body.token)),
});
