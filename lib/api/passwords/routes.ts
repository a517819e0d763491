import { ChangePasswordBody, ForgotPasswordBody, ResetPasswordBody } from '@/lib/accounts/schema';
import { anyone, person } from '@/lib/api/callers';
import { changePassword, forgotPassword, resetPassword } from '@/lib/auth/passwords';
import { noContent } from '@/lib/http/api-response';
import { route } from '@/lib/http/route';

export const requestReset = route({
  summary: 'Email a password reset link, if the address has an account.',
  caller: anyone(),
  body: ForgotPasswordBody,
  errors: ['rate_limited'],
  response: { status: 202 },
  handler: async ({ caller, body }) => {
    await forgotPassword(caller, body);
    return { status: 202 };
  },
});

export const reset = route({
  summary: 'Reset a password with the emailed token; this ends a lockout and closes all sessions.',
  caller: anyone(),
  body: ResetPasswordBody,
  errors: ['invalid_token', 'rate_limited'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await resetPassword(caller, body);
    return noContent();
  },
});

export const change = route({
  summary: 'Change your password; this closes your other sessions.',
  caller: person(),
  body: ChangePasswordBody,
  errors: ['account_locked', 'rate_limited'],
  response: { status: 204 },
  handler: async ({ caller, body }) => {
    await changePassword(caller, body);
    return noContent();
  },
});
