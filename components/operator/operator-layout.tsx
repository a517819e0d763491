import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';

/** The layout of the operator page. It reminds the operator that actions affect the entire deployment. */
export function OperatorLayout({ onForget, children }: { onForget: () => void; children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-20 border-b bg-background/90 backdrop-blur-sm">
        <div className="mx-auto flex min-h-13 w-full max-w-6xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
          <Link href="/" prefetch={false} className="flex items-center gap-2 rounded-md font-semibold text-sm">
            <LogoMark className="size-5" />
            {PRODUCT_NAME}
          </Link>
          <span className="text-muted text-sm max-sm:hidden">Operator access to the entire deployment</span>
          <Button size="sm" className="ml-auto" onClick={onForget}>
            <LogOut aria-hidden="true" />
            Remove token
          </Button>
        </div>
      </header>
      <main className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6">{children}</main>
    </div>
  );
}
