'use client';

import { usePathname } from 'next/navigation';
import { cn } from './cn';
import { Link } from './link';

/** Links to the pages of a section, above each of them. */
export function PageLinks({ label, items }: { label: string; items: readonly { path: string; label: string }[] }) {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className="mb-6 border-b">
      <ul className="flex gap-5">
        {items.map((item) => {
          const current = item.path === pathname;
          return (
            <li key={item.path}>
              <Link
                href={item.path}
                aria-current={current ? 'page' : undefined}
                className={cn(
                  '-mb-px block border-b-2 px-0.5 pt-1 pb-2.5 font-medium text-sm',
                  current ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
                )}
              >
                {item.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
