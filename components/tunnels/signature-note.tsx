import { Callout } from '@/components/ui/callout';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';

/** Says whether the signature of a request is that of an endpoint, and why. */
export function SignatureNote({ signature }: { signature: NonNullable<TunnelRequestDetail['signature']> }) {
  const { verified, detail } = signature;
  if (verified === null) return <Callout tone="accent">Signature not checked. {detail}</Callout>;
  if (verified) return <Callout tone="success">Signature verified. {detail}</Callout>;
  return <Callout tone="danger">Signature not valid. {detail}</Callout>;
}
