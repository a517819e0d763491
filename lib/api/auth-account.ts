import { UpdateMeBody, VerifyEmailBody, VerifyEmailPreview } from '@/lib/accounts/schema';
import { updateMe } from '@/lib/accounts/update-me';
import { previewVerification, resendVerification, verifyEmail } from '@/lib/accounts/verify-email';
import { getMe } from '@/lib/auth/get-me';
import { Me, SignedIn, SwitchOrganizationBody } from '@/lib/auth/schema';
import { switchOrganization } from '@/lib/auth/switch-organization';
import { noContent, ok } from '@/lib/http/answer';
import { route } from '@/lib/http/route';
import { systemClock } from '@/lib/platform/clock';
import { anyone, person } from './callers';

export const getOwnAccount = route({
  summary: 'Get the signed-in person and their organizations.',
  caller: person(),
  answers: { status: 200, schema: Me },
  handler: async ({ caller }) => ok(await getMe(caller)),
});

export const updateOwnAccount = route({
  summary: 'Change the profile of the signed-in person.',
  caller: person(),
  body: UpdateMeBody,
  answers: { status: 200, schema: Me },
  handler: async ({ caller, body }) => {
    await updateMe(caller, body);
    return ok(await getMe(caller));
  },
});

export const verifyEmailAddress = route({
  summary: 'Confirm an email address, or a password set before it was proven, with the token that was mailed.',
  caller: anyone(),
  body: VerifyEmailBody,
  answers: { status: 204 },
  handler: async ({ caller, body }) => {
    await verifyEmail(caller, body.token);
    return noContent();
  },
});

export const previewEmailVerification = route({
  summary: 'Tell what a mailed token would confirm, without using it up.',
  caller: anyone(),
  body: VerifyEmailBody,
  answers: { status: 200, schema: VerifyEmailPreview },
  handler: async ({ caller, body }) => ok(await previewVerification(caller, body.token)),
});

export const resendVerificationMail = route({
  summary: 'Mail the link that proves the address again; it replaces the earlier one.',
  caller: person(),
  answers: { status: 202 },
  handler: async ({ caller }) => {
    await resendVerification(caller);
    return { status: 202 };
  },
});

export const switchToOrganization = route({
  summary: 'Take the session to another organization of the signed-in person.',
  caller: person(),
  body: SwitchOrganizationBody,
  answers: { status: 200, schema: SignedIn, sensitive: true },
  handler: async ({ caller, body }) => ok(await switchOrganization(caller, body, systemClock)),
});
