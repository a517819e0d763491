'use client';

import * as AlertDialog from 'radix-ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { overlayStyle, panelStyle } from '@/components/ui/panel';
import { sessionStore } from './session';

/** Covers a page whose session the server has ended, until the same person has signed in in another tab. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <AlertDialog.Root open>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content
          className={`${panelStyle} max-w-md p-5`}
          onEscapeKeyDown={(event) => event.preventDefault()}
        >
          <AlertDialog.Title className="font-semibold text-lg">Your session has ended</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-muted text-sm">
            Sign in again as <span className="break-all text-text">{email}</span> in a new tab, then return here. What
            you typed stays.
          </AlertDialog.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={sessionStore.leaveKept}>Leave this page</Button>
            <Button variant="primary" onClick={() => window.open('/login?notice=return-to-tab', '_blank', 'noopener')}>
              Sign in in a new tab
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
