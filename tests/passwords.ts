import { expect } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { database } from '@/lib/platform/db';
import { call } from './api-request';
import { queuedMails, tokenIn } from './mails';
import type { TestPerson } from './people';

export const NEW_PASSWORD = 'a staple of new batteries';

/** Requests a reset link, and returns the token of the mail. */
export async function mailedResetToken(email: string): Promise<string> {
  expect((await call('POST', '/api/v1/auth/forgot-password', { body: { email } })).status).toBe(202);
  await settleBackground();
  const mails = (await queuedMails(email)).filter(({ text }) => text.includes('/reset-password?token='));
  return tokenIn(mails.at(-1));
}

/** Tries to sign in, and returns the status of the response. */
export async function signInStatus(email: string, password: string): Promise<number> {
  return (await call('POST', '/api/v1/auth/login', { body: { email, password } })).status;
}

/** Whether both the access token and the refresh token of a person still work. */
export async function isSignedIn({ accessToken, refreshToken }: TestPerson): Promise<boolean> {
  const me = await call('GET', '/api/v1/auth/me', { bearer: accessToken });
  const { rows } = await database().query<{ is_open: boolean }>(
    `SELECT s.closed_at IS NULL AS is_open FROM sessions s JOIN refresh_tokens r ON r.session_id = s.id
     WHERE r.token_hash = sha256(convert_to($1, 'UTF8'))`,
    [refreshToken],
  );
  expect(rows).toEqual([{ is_open: me.status === 200 }]);
  return me.status === 200;
}
