import type { Metadata } from 'next';
import { MembersPage } from '@/components/orgs/members/members-page';
import { config } from '@/lib/platform/config/config';

export const metadata: Metadata = { title: 'Members' };

export default function Page() {
  return <MembersPage registration={config().REGISTRATION} />;
}
