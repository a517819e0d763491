import { exampleHeader, signatureValuesOf } from '@/components/sources/signature-values';
import type { SourceWithUrl } from '@/components/sources/source-context';
import { CopyValue } from './copy-value';
import { OurSecret } from './our-secret';
import { Name, ProviderLink, type SetupStep, StepText } from './step-list';

/** A sender that follows Standard Webhooks. */
export function standardSteps({ url }: SourceWithUrl): SetupStep[] {
  return [
    {
      title: 'Add the URL and secret to the sender',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <OurSecret label="Signing secret" />
          <StepText>
            If the sender generates its own secret, replace ours under <Name>Signing secret</Name> below.
          </StepText>
        </>
      ),
    },
    {
      title: 'Send an event',
      content: (
        <StepText>
          Requests include the webhook-id, webhook-timestamp and webhook-signature headers defined by{' '}
          <ProviderLink href="https://www.standardwebhooks.com">Standard Webhooks</ProviderLink>. Timestamps can be off
          by up to five minutes.
        </StepText>
      ),
    },
  ];
}

/** A sender that signs the body with HMAC-SHA-256. */
export function hmacSteps(source: SourceWithUrl): SetupStep[] {
  return [
    {
      title: 'Add the URL and secret to the sender',
      content: (
        <>
          <CopyValue label="URL" value={source.url} />
          <OurSecret label="Signing secret" />
          <StepText>
            If the sender generates its own secret, replace ours under <Name>Signing secret</Name> below.
          </StepText>
        </>
      ),
    },
    {
      title: 'Sign each request',
      content: (
        <>
          <StepText>
            The signature is the HMAC-SHA-256 of the raw body, keyed with the secret. To change its header, encoding or
            prefix, click <Name>Edit</Name>.
          </StepText>
          <code className="break-all rounded-md border bg-sunken px-3 py-2 font-mono text-xs">
            {exampleHeader(signatureValuesOf(source))}
          </code>
        </>
      ),
    },
  ];
}

/** A sender that does not sign. */
export function unsignedSteps({ url }: SourceWithUrl): SetupStep[] {
  return [
    {
      title: 'Add the URL to the sender',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <StepText>Keep it secret: anyone with the URL can send events. If it leaks, rotate it.</StepText>
        </>
      ),
    },
    {
      title: 'Send an event',
      content: (
        <StepText>
          Send any POST request with a body of up to 512 KiB. We store the body byte for byte, along with its headers.
        </StepText>
      ),
    },
  ];
}
