import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { enqueueMail } from '@/lib/platform/mail/enqueue-mail';
import { layOutMail } from '@/lib/platform/mail/layout';
import type { ErasedPerson } from './forget-person';

/**
 * Tells an address, for the last time, that its account is gone: whoever finds this and did not do it learns so. Sealed in
 * the outbox like every mail, it leaves with its sending; when it cannot be sent, a worker removes it.
 */
export async function sendAccountDeletedMail(tx: Sql, { userId, email }: ErasedPerson): Promise<void> {
  await enqueueMail(tx, {
    to: email,
    userId,
    ...layOutMail({
      subject: 'Your account was deleted',
      paragraphs: [
        'Your account was deleted as asked from one of its sessions. What identified you is gone, every session was closed, and organizations that only you belonged to were deleted with it.',
        'This cannot be undone. This address is free again and is not written to any more.',
      ],
      closing: [
        `If it was not you, somebody was signed in as you: look after your mailbox and your other passwords. You can start anew at ${config().baseUrl}/register.`,
      ],
    }),
  });
}
