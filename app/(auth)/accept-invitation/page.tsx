import type { Metadata } from 'next';
import { AcceptInvitation } from '@/components/orgs/invitations/accept-invitation';

export const metadata: Metadata = { title: 'Invitation' };

export default function AcceptInvitationPage() {
  return <AcceptInvitation />;
}
