import type { Metadata } from 'next';

export { AcceptInvitation as default } from '@/components/orgs/invitations/accept-invitation';

export const metadata: Metadata = { title: 'Invitation' };
