import type { ReactNode } from 'react';
import { RequireSession } from '@/components/auth-session/require-session';
import { Shell, ShellSkeleton } from '@/components/shell/shell';

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <RequireSession skeleton={<ShellSkeleton />}>
      <Shell>{children}</Shell>
    </RequireSession>
  );
}
