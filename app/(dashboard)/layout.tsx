import type { ReactNode } from 'react';
import { RequireSession } from '@/components/auth-session/require-session';
import { Shell } from '@/components/shell/shell';
import { ShellSkeleton } from '@/components/shell/shell-skeleton';

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <RequireSession skeleton={<ShellSkeleton />}>
      <Shell>{children}</Shell>
    </RequireSession>
  );
}
