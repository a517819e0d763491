import type { Metadata } from 'next';

export { ProjectSettingsPage as default } from '@/components/projects/project-settings-page';

export const metadata: Metadata = { title: 'Project settings' };
