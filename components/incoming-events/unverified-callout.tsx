'use client';

import useSWR from 'swr';
import { describeError } from '@/components/auth-session/api-error';
import { useToastAction } from '@/components/form/use-async-action';
import { useProjectPath } from '@/components/projects/use-projects';
import { SignatureResult } from '@/components/signatures/signature-result';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { TextLink } from '@/components/ui/link';
import type { SignatureCheck } from '@/lib/delivery/schema';
import type { IncomingEventDetail, Source } from '@/lib/incoming/schema';

/** Checks the signature of an unverified event with the secrets of now. Loads nothing for another event. */
export function useSignatureCheck({ id, verified }: Pick<IncomingEventDetail, 'id' | 'verified'>) {
  const path = useProjectPath(`incoming-events/${id}/signature-check`);
  const { data, error, mutate } = useSWR<SignatureCheck>(verified === false ? path : null, {
    revalidateOnFocus: false,
  });
  return {
    check: data,
    error: error as unknown,
    isLoading: verified === false && data === undefined && error === undefined,
    again: () => mutate(),
  };
}

/** What was compared is never stored, so that another check says the same. */
const TOKENS_IN_HEADERS: Source['provider'][] = ['TOKEN', 'GITLAB', 'TELEGRAM'];

/** Says why an incoming event was not verified, and what to do about it. */
export function UnverifiedCallout({
  source,
  from: { check, error, again },
}: {
  /** Undefined after it is deleted. */
  source: Source | undefined;
  from: ReturnType<typeof useSignatureCheck>;
}) {
  const sources = useProjectPath('sources');
  const { pending, run } = useToastAction('We couldn’t check the signature');
  const refused = 'We responded with 401 and didn’t forward the event.';
  if (check === undefined) {
    return (
      <Callout tone="danger">
        <p className="font-medium">Its signature didn’t verify.</p>
        <p>
          {refused}{' '}
          {source === undefined ? 'Its source is deleted, so it can’t be checked again.' : describeError(error).detail}
        </p>
      </Callout>
    );
  }
  return (
    <SignatureResult
      result={check}
      next={
        <>
          <p className="mt-1">
            {check.verified ? (
              'It did not when it was received, so it stays unverified and isn’t forwarded. Have the provider send it again.'
            ) : (
              <>
                {refused} <TextLink href={`${sources}/${source?.id}`}>View the source’s secret</TextLink>
              </>
            )}
          </p>
          {source !== undefined && TOKENS_IN_HEADERS.includes(source.provider) ? null : (
            <Button size="sm" className="mt-2" loading={pending} onClick={() => run(again)}>
              Check again
            </Button>
          )}
        </>
      }
    />
  );
}
