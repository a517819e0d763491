import type { ReactNode } from 'react';
import { MinPasswordLengthProvider } from '@/components/auth/auth-form';
import { AuthScreen } from '@/components/auth/auth-screen';
import { config } from '@/lib/platform/config/config';

/** A page that the build renders has no nonce for its scripts. */
export const dynamic = 'force-dynamic';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <MinPasswordLengthProvider value={config().AUTH_PASSWORD_MIN_LENGTH}>
      <AuthScreen>{children}</AuthScreen>
    </MinPasswordLengthProvider>
  );
}
