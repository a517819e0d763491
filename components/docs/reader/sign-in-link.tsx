'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { loginPath } from '@/components/auth-session/return-to';
import { writeSessionHint } from '@/components/auth-session/session-hint';

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
  // A sign-in at an identity provider returns with a full load of this page, which then asks for the session.
  return (
    <Link href={loginPath(path)} prefetch={false} className={className} onClick={() => writeSessionHint(true)}>
      {children}
    </Link>
  );
}
