import type { Metadata } from 'next';
import { PortalSettingsPage } from '@/components/portal-settings/portal-settings-page';
import { config } from '@/lib/platform/config/config';

export const metadata: Metadata = { title: 'Portal settings' };

export default function Page() {
  const { PORTAL_BASE_URL, baseUrl } = config();
  return <PortalSettingsPage portalUrl={PORTAL_BASE_URL === undefined ? baseUrl : new URL(PORTAL_BASE_URL).origin} />;
}
