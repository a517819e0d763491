import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { MinPasswordLengthProvider } from '@/components/auth/min-password-length';
import { PRODUCT_NAME } from '@/components/shell/logo';
import { Providers } from '@/components/shell/providers';
import { THEME_SCRIPT } from '@/components/theme/theme-script';
import { config } from '@/lib/platform/config/config';
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

/** Reads the nonce, which makes every page dynamic: a prerendered page has no nonce, so browsers refuse its scripts. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <script
          nonce={nonce}
          // Browsers hide the nonce from React, which would miss it.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; React would escape it as text
          dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }}
        />
        <Providers>
          <MinPasswordLengthProvider value={config().AUTH_PASSWORD_MIN_LENGTH}>{children}</MinPasswordLengthProvider>
        </Providers>
      </body>
    </html>
  );
}
