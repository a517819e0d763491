import * as z from 'zod';
import { listIdentities as listOwnIdentities, updateMe } from '@/lib/accounts/accounts';
import { Identity, UpdateMeBody, VerifyEmailBody, VerifyEmailPreview } from '@/lib/accounts/schema';
import {
  previewVerification as previewEmailVerification,
  resendVerification as resendVerificationMail,
  verifyEmail as verifyEmailAddress,
} from '@/lib/accounts/verify-email';
import { anyone, person } from '@/lib/api/callers';
import { clearedSessionCookies } from '@/lib/api/refresh-cookie';
import { switchOrganization as switchToOrganization } from '@/lib/auth/refresh';
import { Me, SignedIn, SwitchOrganizationBody } from '@/lib/auth/schema';
import { getMe } from '@/lib/auth/sign-in';
import { noContent, ok } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';
import { eraseAccount, previewErasure as previewOwnErasure } from '@/lib/lifecycle/erase-account';
import { ErasurePreview } from '@/lib/lifecycle/schema';
import { systemClock } from '@/lib/platform/clock';

export const get = route({
  summary: 'Get your profile and organizations.',
  caller: person(),
  response: { status: 200, schema: Me },
  handler: async ({ caller }) => ok(await getMe(caller)),
});

export const update = route({
  summary: 'Change your profile.',
  caller: person(),
  body: UpdateMeBody,
  response: { status: 200, schema: Me },
  handler: async ({ caller, body }) => {
    await updateMe(caller, body);
    return ok(await getMe(caller));
  },
});

export const verifyEmail = route({
  summary: 'Confirm an email address, or a password set before the address was verified.',
  caller: anyone(),
  body: VerifyEmailBody,
  errors: ['invalid_token'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await verifyEmailAddress(caller, body.token);
    return noContent();
  },
});

export const previewVerification = route({
  summary: 'Show what an emailed token confirms; the token stays valid.',
  caller: anyone(),
  body: VerifyEmailBody,
  errors: ['invalid_token'],
  response: { status: 200, schema: VerifyEmailPreview },
  handler: async ({ caller, body }) => ok(await previewEmailVerification(caller, body.token)),
});

export const resendVerification = route({
  summary: 'Email a new verification link; it replaces the previous one.',
  caller: person(),
  errors: ['rate_limited'],
  response: { status: 202 },
  handler: async ({ caller }) => {
    await resendVerificationMail(caller);
    return { status: 202 };
  },
});

export const switchOrganization = route({
  summary: 'Switch your session to another organization.',
  caller: person(),
  body: SwitchOrganizationBody,
  errors: ['not_found'],
  response: { status: 200, schema: SignedIn, sensitive: true },
  handler: async ({ caller, body }) => ok(await switchToOrganization(caller, body, systemClock)),
});

export const erase = route({
  summary: 'Erase your account, immediately and permanently.',
  caller: person(),
  errors: ['last_owner', 'rate_limited'],
  response: { status: 204, setsCookies: true },
  handler: async ({ caller }) => {
    await eraseAccount(caller);
    return noContent({ cookies: clearedSessionCookies() });
  },
});

export const previewErasure = route({
  summary: 'Preview what erasing your account does to each of your organizations.',
  caller: person(),
  response: { status: 200, schema: ErasurePreview },
  handler: async ({ caller }) => ok(await previewOwnErasure(caller)),
});

export const listIdentities = route({
  summary: 'List the identity providers linked to your account.',
  caller: person(),
  response: {
    status: 200,
    schema: z.object({ data: z.array(Identity).meta({ description: 'The linked providers' }) }),
  },
  handler: async ({ caller }) => ok({ data: await listOwnIdentities(caller) }),
});
