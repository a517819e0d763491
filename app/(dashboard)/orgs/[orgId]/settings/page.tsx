import type { Metadata } from 'next';

export { SettingsPage as default } from '@/components/orgs/settings/settings-page';

export const metadata: Metadata = { title: 'Organization settings' };
