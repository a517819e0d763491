import type { ReactNode } from 'react';
import { AccountNav } from '@/components/account/account-nav';
import { MinPasswordLengthProvider } from '@/components/auth/auth-form';
import { config } from '@/lib/platform/config/config';

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <MinPasswordLengthProvider value={config().AUTH_PASSWORD_MIN_LENGTH}>
      <AccountNav />
      {children}
    </MinPasswordLengthProvider>
  );
}
