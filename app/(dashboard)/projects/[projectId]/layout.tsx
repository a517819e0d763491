import type { ReactNode } from 'react';
import { ProjectGate } from '@/components/projects/project-gate';

export default async function ProjectLayout({
  params,
  children,
}: {
  params: Promise<{ projectId: string }>;
  children: ReactNode;
}) {
  const { projectId } = await params;
  return <ProjectGate projectId={projectId}>{children}</ProjectGate>;
}
