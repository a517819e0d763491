'use client';

import Link from 'next/link';
import { LogoMark, PRODUCT_NAME } from './logo';
import { NavLinks } from './nav-links';
import { ProjectSwitcher } from './project-switcher';

export interface SidebarProps {
  projectId: string | undefined;
  segment: string | undefined;
  onNewProject: () => void;
  /** Called when a link is followed, so that a drawer can close. */
  onNavigate?: () => void;
}

/** What stands in the left column, and in the drawer on narrow screens. */
export function Sidebar({ projectId, segment, onNewProject, onNavigate }: SidebarProps) {
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link
        href="/"
        {...(onNavigate ? { onClick: onNavigate } : {})}
        className="flex h-8 items-center gap-2 rounded-md px-1 font-semibold text-base"
      >
        <LogoMark />
        {PRODUCT_NAME}
      </Link>
      <ProjectSwitcher projectId={projectId} segment={segment} onNewProject={onNewProject} />
      {projectId === undefined ? null : (
        <NavLinks projectId={projectId} segment={segment} {...(onNavigate ? { onNavigate } : {})} />
      )}
    </div>
  );
}
