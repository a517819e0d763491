import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { PRODUCT_NAME } from '@/components/shell/logo';
import { THEME_SCRIPT } from '@/components/theme/theme-script';
import { Toaster } from '@/components/ui/toast';
import { TooltipProvider } from '@/components/ui/tooltip';
import './globals.css';

export const metadata: Metadata = {
  title: { default: PRODUCT_NAME, template: `%s · ${PRODUCT_NAME}` },
  description: 'Stores each event once and delivers it to every subscribed endpoint, signed and with retries.',
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfbfc' },
    { media: '(prefers-color-scheme: dark)', color: '#0b0b0d' },
  ],
};

/** The same for every request: pages of the documentation are rendered by the build. */
export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        {/* Content-Security-Policy allows it by its hash. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React would escape it as text */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        <TooltipProvider>
          {children}
          <Toaster />
        </TooltipProvider>
      </body>
    </html>
  );
}
