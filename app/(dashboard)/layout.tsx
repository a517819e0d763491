import type { ReactNode } from 'react';
import { RequireSession } from '@/components/auth-session/require-session';
import { Shell } from '@/components/shell/shell';
import { ShellSkeleton } from '@/components/shell/shell-skeleton';

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <RequireSession skeleton={<ShellSkeleton />}>
      <Shell>{children}</Shell>
    </RequireSession>
  );
}
