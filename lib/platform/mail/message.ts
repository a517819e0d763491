/** A mail as the domains give it. */
export interface Mail {
  /** One bare address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** The person it is for: the mail goes with their account, should that be erased before it is sent. */
  userId?: string;
}

/** A mail as it waits in the outbox, sealed. Its id is its Message-ID, so that a second sending can be told from a second mail. */
export interface StoredMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** What messages are sealed for (lib/platform/encryption.ts). */
export const MAIL_PURPOSE = 'mail';
