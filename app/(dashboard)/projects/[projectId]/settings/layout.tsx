import type { ReactNode } from 'react';
import { PageLinks } from '@/components/ui/page-links';

interface Props {
  params: Promise<{ projectId: string }>;
  children: ReactNode;
}

export default async function SettingsLayout({ params, children }: Props) {
  const path = `/projects/${(await params).projectId}/settings`;
  const items = [
    { path, label: 'General' },
    { path: `${path}/portal`, label: 'Portal' },
  ];
  return (
    <>
      <PageLinks label="Project settings" items={items} />
      {children}
    </>
  );
}
