import { config } from '@/lib/platform/config/config';

/** Returns the page that accepts an invitation. */
export function invitationUrl(token: string): string {
  return `${config().baseUrl}/accept-invitation?token=${token}`;
}
