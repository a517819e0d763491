import { config } from '@/lib/platform/config/config';

/** Returns whether emails are sent to a mail server. The web process does not get MAIL_URL, which may contain a password. */
export function isMailSent(): boolean {
  const { MAIL_ENABLED, MAIL_URL } = config();
  return MAIL_ENABLED || MAIL_URL !== undefined;
}
