import type { ClientInfo } from '@/lib/platform/client-info';
import { systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { consumeInTransaction } from '@/lib/platform/count-in-transaction';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import { readUserAgent } from '@/lib/platform/user-agent';

/** Changes to an account that its person is emailed about, since someone else may have made them. */
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

/** Someone who registers another person's address must not be able to flood their mailbox. */
const ADDRESS_LIMIT = { name: 'notice-mail', points: 20, windowSeconds: 60 * 60 };

interface Wording {
  subject: string;
  happened: (facts: NoticeDetails) => string;
  /** What to do when the person cannot have made the change. Default: what to do if they didn't. */
  advice?: string;
}

const WORDINGS: Record<NoticeKind, Wording> = {
  password_reset: {
    subject: 'Your password was reset',
    happened: () => 'Your password was reset with a link we emailed to this address. All sessions were signed out.',
  },
  password_added: {
    subject: 'A password was added to your account',
    happened: () => 'A password was set with a link we emailed to this address. All sessions were signed out.',
  },
  password_changed: {
    subject: 'Your password was changed',
    happened: () => 'Your password was changed. All other sessions were signed out.',
  },
  password_confirmed: {
    subject: 'Your password was confirmed',
    happened: () => 'Your password was confirmed with a link we emailed to this address. You can now sign in with it.',
  },
  provider_linked: {
    subject: 'A sign-in method was added to your account',
    happened: ({ providerName = 'your provider' }) => `You can now sign in to your account with ${providerName}.`,
  },
  sessions_closed: {
    subject: 'Your sessions were closed',
    happened: () => 'Your sessions were closed, either all of them or all but the one that closed them.',
  },
  sessions_closed_by_operator: {
    subject: 'Your sessions were closed',
    happened: () => 'The operator of this service closed all your sessions.',
    advice: 'You can sign in again. If you didn’t expect this, contact the operator.',
  },
  session_theft: {
    subject: 'We closed one of your sessions to protect your account',
    happened: () => 'A refresh token was used twice. Someone else may have had access to the session, so we closed it.',
  },
  device_approved: {
    subject: 'A command-line client signed in to your account',
    happened: () => 'A command-line client was approved and can now act as you. It appears in your list of sessions.',
  },
};

/**
 * Emails a person that their password, sign-in methods or sessions changed: what, when, from where,
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
    'If this was you, you don’t need to do anything.',
    `If it wasn’t, set a new password now: ${baseUrl}/forgot-password. This closes all sessions. Then review your sessions and sign-in methods: ${baseUrl}/account`,
  ];
}

/** Formats a time as "21 November 2026, 02:04:05 UTC". */
function showTime(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 19)} UTC`;
}

/**
 * Describes the client of a request in lines for a mail. Names browser and system from a fixed list only: a
 * User-Agent is the sender's own text, and could put a link of theirs into our mail.
 */
export function describeClient({ ipAddress, userAgent }: ClientInfo): string[] {
  const { browser, system } = readUserAgent(userAgent ?? '');
  const device = [browser, system].filter((name) => name !== null).join(' on ');
  return [...(ipAddress === null ? [] : [`IP address: ${ipAddress}`]), ...(device === '' ? [] : [`Device: ${device}`])];
}
