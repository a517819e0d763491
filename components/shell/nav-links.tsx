'use client';

import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { NAV_ITEMS, projectPath } from './nav-items';

export function NavLinks({
  projectId,
  segment,
  onNavigate,
}: {
  projectId: string;
  segment: string | undefined;
  onNavigate?: () => void;
}) {
  return (
    <nav aria-label="Project">
      <ul className="grid gap-0.5">
        {NAV_ITEMS.map((item) => {
          const current = item.segment === segment;
          return (
            <li key={item.segment}>
              <Link
                href={projectPath(projectId, item.segment)}
                aria-current={current ? 'page' : undefined}
                {...(onNavigate ? { onClick: onNavigate } : {})}
                className={cn(
                  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-sunken hover:text-text',
                  current ? 'bg-sunken font-medium text-text' : 'text-muted',
                )}
              >
                <item.icon aria-hidden="true" className={cn('size-4', current && 'text-accent-text')} />
                {item.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
