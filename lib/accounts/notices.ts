import type { ClientInfo } from '@/lib/platform/client-info';
import { systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { consumeInTransaction } from '@/lib/platform/rate-limit';
import { describeClient } from './describe-client';

/** Changes of an account that its person gets a mail about, since somebody else may have made them. */
export type NoticeKind =
  | 'password_reset'
  | 'password_added'
  | 'password_changed'
  | 'password_confirmed'
  | 'provider_linked'
  | 'sessions_closed'
  | 'sessions_closed_by_operator'
  | 'session_theft'
  | 'device_approved';

export interface NoticeDetails {
  /** The client of the request that made the change. */
  client: ClientInfo;
  /** For provider_linked: IDP_OAUTH_NAME. */
  providerName?: string;
  /** Default: now. */
  at?: Date;
}

/** Somebody who registers another person's address must not be able to fill their mailbox. */
const ADDRESS_LIMIT = { name: 'notice-mail', points: 20, windowSeconds: 60 * 60 };

interface Wording {
  subject: string;
  happened: (facts: NoticeDetails) => string;
  /** What to do when the person cannot have made the change. Default: what to do if they did not. */
  advice?: string;
}

const WORDINGS: Record<NoticeKind, Wording> = {
  password_reset: {
    subject: 'Your password was reset',
    happened: () =>
      'The password of your account was replaced through a link mailed to this address. Every session was closed.',
  },
  password_added: {
    subject: 'A password was added to your account',
    happened: () =>
      'Your account had no password; one was set through a link mailed to this address. Every session was closed.',
  },
  password_changed: {
    subject: 'Your password was changed',
    happened: () => 'The password of your account was changed. Every other session was closed.',
  },
  password_confirmed: {
    subject: 'Your password was confirmed',
    happened: () =>
      'The password of your account was confirmed through a link mailed to this address. It can sign in now.',
  },
  provider_linked: {
    subject: 'A new way to sign in was added to your account',
    happened: ({ providerName = 'your provider' }) => `You can now sign in to your account with ${providerName}.`,
  },
  sessions_closed: {
    subject: 'Your sessions were closed',
    happened: () => 'The sessions of your account were closed: all of them, or all but the one that closed them.',
  },
  sessions_closed_by_operator: {
    subject: 'Your sessions were closed',
    happened: () => 'The operator of this service closed every session of your account.',
    advice: 'You can sign in again as before. If you did not expect this, ask the operator why.',
  },
  session_theft: {
    subject: 'A session of your account was closed for safety',
    happened: () => 'A refresh token was used twice. Two programs may have held the same session, so it was closed.',
  },
  device_approved: {
    subject: 'A command-line client was signed in to your account',
    happened: () => 'A command-line client was approved and now acts as you. It is listed among your sessions.',
  },
};

/**
 * Mails a person that a password, a sign-in method or the sessions of their account changed: what, when, from where,
 * and what to do if it was not them. Runs in the transaction of the change. The mail holds no secret, no link that
 * acts by itself, and no text chosen by whoever made the change. Sends at most 20 an hour to an address.
 */
export async function sendNotice(
  tx: Sql,
  to: { userId: string; email: string },
  kind: NoticeKind,
  facts: NoticeDetails,
): Promise<void> {
  if (!(await consumeInTransaction(tx, { ...ADDRESS_LIMIT, key: to.email }))) return;
  const { subject, happened, advice } = WORDINGS[kind];
  await enqueueMail(tx, {
    to: to.email,
    userId: to.userId,
    ...layOutMail({
      subject,
      paragraphs: [
        happened(facts),
        `When: ${showTime(facts.at ?? systemClock())}`,
        ...describeClient(facts.client),
        ...(advice === undefined ? adviseIfNotYou() : [advice]),
      ],
    }),
  });
}

function adviseIfNotYou(): string[] {
  const { baseUrl } = config();
  return [
    'If this was you, there is nothing to do.',
    `If it was not, set a new password at once: ${baseUrl}/forgot-password. That closes every session. Then look through your sessions and ways to sign in: ${baseUrl}/account`,
  ];
}

/** Formats a time as "21 November 2026, 02:04:05 UTC". */
function showTime(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 19)} UTC`;
}
