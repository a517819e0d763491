import type { ReactNode } from 'react';
import { MailSentProvider } from '@/components/auth/mail-sent';
import { RequireSession } from '@/components/auth-session/require-session';
import { Shell, ShellSkeleton } from '@/components/shell/shell';
import { isMailSent } from '@/lib/platform/mail/enqueue-mail';

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <MailSentProvider value={isMailSent()}>
      <RequireSession skeleton={<ShellSkeleton />}>
        <Shell>{children}</Shell>
      </RequireSession>
    </MailSentProvider>
  );
}
