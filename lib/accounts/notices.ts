import { systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import type { Origin } from '@/lib/platform/origin';
import { consumeInTransaction } from '@/lib/platform/rate-limit';
import { describeOrigin } from './describe-origin';

/** What a person is told of by mail, since it may have been somebody else. */
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

export interface NoticeFacts {
  /** Where the request came from that did it. */
  origin: Origin;
  /** For provider_linked: IDP_OAUTH_NAME. */
  providerName?: string;
  /** Default: now. */
  at?: Date;
}

/** Who has made an account for a stranger's address must not be able to fill their mailbox. */
const ADDRESS_LIMIT = { name: 'notice-mail', points: 20, windowSeconds: 60 * 60 };

interface Wording {
  subject: string;
  happened: (facts: NoticeFacts) => string;
  /** What to do, where it cannot have been the person. Default: what to do if it was not them. */
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
    happened: ({ providerName = 'your provider' }) => `Your account can now be signed in to with ${providerName}.`,
  },
  sessions_closed: {
    subject: 'Your sessions were closed',
    happened: () => 'The sessions of your account were closed: all of them, or all but the one that asked for it.',
  },
  sessions_closed_by_operator: {
    subject: 'Your sessions were closed',
    happened: () => 'Whoever operates this service closed every session of your account.',
    advice: 'Your ways to sign in are as they were: sign in again to go on. If you did not expect this, ask them why.',
  },
  session_theft: {
    subject: 'A session of your account was closed for safety',
    happened: () =>
      'A refresh token that had been used before came again. Two programs may have held one session, so it was closed.',
  },
  device_approved: {
    subject: 'A command-line client was signed in to your account',
    happened: () => 'A command-line client was approved and now acts as you. It is listed among your sessions.',
  },
};

/**
 * Tells a person by mail that a password, a way in or the sessions of their account changed: what, when, from where, and
 * what to do if it was not them. In the transaction of the change. Holds no secret and no link that acts by itself, and
 * no text that whoever did it could choose. Twenty an hour to one address, at most.
 */
export async function sendNotice(
  tx: Sql,
  to: { userId: string; email: string },
  kind: NoticeKind,
  facts: NoticeFacts,
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
        ...describeOrigin(facts.origin),
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

/** Such as "21 November 2026, 02:04:05 UTC". */
function showTime(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 19)} UTC`;
}
