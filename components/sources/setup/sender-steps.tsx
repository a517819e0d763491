import { exampleHeader, signatureValuesOf } from '@/components/sources/signature-values';
import type { SourceWithUrl } from '@/components/sources/source-context';
import { CopyValue } from './copy-value';
import { OurSecret } from './our-secret';
import { Name, ProviderLink, type SetupStep, StepText } from './step-list';

/** A sender that follows Standard Webhooks. */
export function standardSteps({ url }: SourceWithUrl): SetupStep[] {
  return [
    {
      title: 'Enter the URL and the secret at the sender',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <OurSecret label="Signing secret" />
          <StepText>
            If the sender generates the secret itself, replace ours under <Name>Signing secret</Name> below.
          </StepText>
        </>
      ),
    },
    {
      title: 'Send an event',
      content: (
        <StepText>
          Requests carry the headers webhook-id, webhook-timestamp and webhook-signature, as{' '}
          <ProviderLink href="https://www.standardwebhooks.com">Standard Webhooks</ProviderLink> describes them. A
          timestamp may differ by five minutes.
        </StepText>
      ),
    },
  ];
}

/** A sender that signs the body with HMAC-SHA-256. */
export function hmacSteps(source: SourceWithUrl): SetupStep[] {
  return [
    {
      title: 'Enter the URL and the secret at the sender',
      content: (
        <>
          <CopyValue label="URL" value={source.url} />
          <OurSecret label="Signing secret" />
          <StepText>
            If the sender generates the secret itself, replace ours under <Name>Signing secret</Name> below.
          </StepText>
        </>
      ),
    },
    {
      title: 'Sign each request',
      content: (
        <>
          <StepText>
            The signature is the HMAC-SHA-256 of the exact bytes of the body, with the secret as the key. To change its
            header, encoding or prefix, choose <Name>Edit</Name>.
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
      title: 'Enter the URL at the sender',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <StepText>Keep it secret: anyone who knows it can send events. Rotate it if others learn it.</StepText>
        </>
      ),
    },
    {
      title: 'Send an event',
      content: <StepText>Any POST with a body of up to 512 KiB is kept byte for byte, with its headers.</StepText>,
    },
  ];
}
