import { INVITATION_PATH } from '@/lib/orgs/invitation-path-policy';
import { config } from '@/lib/platform/config/config';

/** Returns the page that accepts an invitation. */
export function invitationUrl(token: string): string {
  return `${config().baseUrl}${INVITATION_PATH}?token=${token}`;
}
