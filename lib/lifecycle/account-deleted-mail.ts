import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import type { ErasedAccount } from './anonymize-account';

/**
 * Queues a last mail that tells the person of the deletion, in case somebody else did it. Like every mail it is
 * encrypted in the outbox and removed once it is sent; a worker removes it when it cannot be sent.
 */
export async function sendAccountDeletedMail(tx: Sql, { userId, email }: ErasedAccount): Promise<void> {
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Your account was deleted',
      paragraphs: [
        'Your account was deleted from one of its sessions. We removed the data that identified you, closed every session, and deleted the organizations that had no other member.',
        'This cannot be undone. We will not write to this address again, and you can use it for a new account.',
      ],
      closing: [
        `If this was not you, somebody else was signed in to your account. Secure your mailbox and change your other passwords. You can create a new account at ${config().baseUrl}/register.`,
      ],
    }),
  });
}
