'use client';

import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import type { NavItem } from './nav-items';

/** The links to the pages of a project or an organization. */
export function NavLinks({
  label,
  items,
  pathOf,
  current,
  onNavigate,
}: {
  /** Names the navigation for screen readers. */
  label: string;
  items: readonly NavItem[];
  pathOf: (segment: string) => string;
  /** The segment of the current page, if it is one of these. */
  current: string | undefined;
  onNavigate?: () => void;
}) {
  return (
    <nav aria-label={label}>
      <ul className="grid gap-0.5">
        {items.map((item) => {
          const isCurrent = item.segment === current;
          return (
            <li key={item.segment}>
              <Link
                href={pathOf(item.segment)}
                aria-current={isCurrent ? 'page' : undefined}
                {...(onNavigate ? { onClick: onNavigate } : {})}
                className={cn(
                  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-sunken hover:text-text',
                  isCurrent ? 'bg-sunken font-medium text-text' : 'text-muted',
                )}
              >
                <item.icon aria-hidden="true" className={cn('size-4', isCurrent && 'text-accent-text')} />
                {item.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
