import type { Metadata } from 'next';
import { SessionsPage } from '@/components/sessions/sessions-page';
import { config } from '@/lib/platform/config/config';

export const metadata: Metadata = { title: 'Sessions' };

export default function Page() {
  return <SessionsPage unusedSeconds={config().AUTH_REFRESH_TOKEN_SECONDS} />;
}
