'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { loginPath } from '@/components/auth-session/return-to';
import { Link } from '@/components/ui/link';

/** Leads to the sign-in page and back to this one. */
export function SignInLink({
  className,
  anchor,
  children,
}: {
  className?: string;
  anchor?: string;
  children: ReactNode;
}) {
  const pathname = usePathname();
  const path = anchor === undefined ? pathname : `${pathname}#${anchor}`;
  return (
    <Link href={loginPath(path)} prefetch={false} className={className}>
      {children}
    </Link>
  );
}
