'use client';

import { usePathname } from 'next/navigation';
import { ACCOUNT_ITEMS } from '@/components/shell/nav-items';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';

/** The tabs above the pages of the account. */
export function AccountNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Account" className="mb-6 border-b">
      <ul className="flex gap-5">
        {ACCOUNT_ITEMS.map(({ path, label }) => {
          const current = path === pathname;
          return (
            <li key={path}>
              <Link
                href={path}
                aria-current={current ? 'page' : undefined}
                className={cn(
                  '-mb-px block border-b-2 px-0.5 pt-1 pb-2.5 font-medium text-sm',
                  current ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
                )}
              >
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
