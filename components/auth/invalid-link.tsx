'use client';

import { ApiError } from '@/components/auth-session/api-error';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Link } from '@/components/ui/link';
import { AuthHeading } from './auth-heading';
import { FocusedNotice } from './focused-notice';

/** Whether a request was refused because of the emailed link rather than the form. */
export function isInvalidLink(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'invalid_token' || error.errors.some(({ path }) => path === 'token');
}

/** Says that an emailed link is invalid, why, and where to get another. */
export function InvalidLink({
  title,
  explanation,
  takesFocus,
  action,
}: {
  title: string;
  explanation: string;
  /** Whether the notice follows a click, rather than the opening of the link. */
  takesFocus: boolean;
  action: { label: string; href: string };
}) {
  const notice = (
    <Callout tone="danger" role="alert">
      <p className="font-medium">This link is no longer valid.</p>
      <p className="mt-1">{explanation}</p>
    </Callout>
  );
  return (
    <>
      <AuthHeading title={title} />
      <div className="grid gap-4">
        {takesFocus ? <FocusedNotice>{notice}</FocusedNotice> : notice}
        <Button asChild variant="primary" size="lg">
          <Link href={action.href}>{action.label}</Link>
        </Button>
      </div>
    </>
  );
}
