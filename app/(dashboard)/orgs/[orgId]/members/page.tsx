import type { Metadata } from 'next';

export { MembersPage as default } from '@/components/orgs/members/members-page';

export const metadata: Metadata = { title: 'Members' };
