import type { ReactNode } from 'react';
import { MinPasswordLengthProvider } from '@/components/auth/auth-form';
import { ACCOUNT_ITEMS } from '@/components/shell/nav-items';
import { PageLinks } from '@/components/ui/page-links';
import { config } from '@/lib/platform/config/config';

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <MinPasswordLengthProvider value={config().AUTH_PASSWORD_MIN_LENGTH}>
      <PageLinks label="Account" items={ACCOUNT_ITEMS.map(({ path, label }) => ({ path, label }))} />
      {children}
    </MinPasswordLengthProvider>
  );
}
