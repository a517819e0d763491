import type { ReactNode } from 'react';
import { MinPasswordLengthProvider } from '@/components/auth/auth-form';
import { AuthScreen } from '@/components/auth/auth-screen';
import { MailSentProvider } from '@/components/auth/mail-sent';
import { config } from '@/lib/platform/config/config';
import { isMailSent } from '@/lib/platform/mail/enqueue-mail';

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <MinPasswordLengthProvider value={config().AUTH_PASSWORD_MIN_LENGTH}>
      <MailSentProvider value={isMailSent()}>
        <AuthScreen>{children}</AuthScreen>
      </MailSentProvider>
    </MinPasswordLengthProvider>
  );
}
