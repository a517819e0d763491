import type { ReactNode } from 'react';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { DeliveryIllustration } from './delivery-illustration';

/**
 * The layout of the pages before sign-in: the form and, on wide screens, an illustration. The form starts at a fixed
 * height; if it were centered, it would move whenever a notice appears.
 */
export function AuthScreen({ children }: { children: ReactNode }) {
  return (
    <div data-fills-screen="" className="grid min-h-dvh lg:grid-cols-2">
      <main className="flex flex-col px-5 py-6 sm:px-10">
        <p className="flex items-center gap-2 font-semibold text-base">
          <LogoMark />
          {PRODUCT_NAME}
        </p>
        <div className="mx-auto w-full max-w-sm py-10 sm:py-[14vh]">{children}</div>
      </main>
      <aside aria-hidden="true" className="hidden items-center justify-center border-l bg-sunken p-10 lg:flex">
        <DeliveryIllustration />
      </aside>
    </div>
  );
}
