import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import type { ErasedAccount } from './anonymize-account';

/**
 * Queues a last email that tells the person about the deletion, in case someone else did it. Like every email it is
 * encrypted in the outbox and deleted once it is sent. A worker deletes it if it cannot be sent.
 */
export async function sendAccountDeletedMail(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Your account was deleted',
      paragraphs: [
        'Your account was deleted from one of its sessions. We erased your personal data, closed all sessions, and deleted the organizations that had no other members.',
        'This can’t be undone. We won’t email this address again. You can use it for a new account.',
      ],
      closing: [
        `If this wasn’t you, someone else was signed in to your account. Secure your mailbox and change your other passwords. You can create a new account at ${config().baseUrl}/register.`,
      ],
    }),
  });
}
