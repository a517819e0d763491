/** A mail to send. */
export interface Mail {
  /** One bare address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The recipient's account: erasing it deletes a mail that is not sent yet. */
  userId?: string;
}

/** A mail in the outbox, before encryption. Its id is the Message-ID, so that a mail sent twice can be recognized. */
export interface StoredMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** The encryption purpose of mails (lib/platform/encryption.ts). */
export const MAIL_PURPOSE = 'mail';
