import type { SignatureEncoding, Source } from '@/lib/incoming/schema';

/** Where a generic HMAC finds its signature, as a form holds it. */
export interface SignatureValues {
  signatureHeader: string;
  signatureEncoding: SignatureEncoding;
  signaturePrefix: string;
}

/** Returns the values of a source, or the API's defaults for a new one. */
export function signatureValuesOf(source?: Source): SignatureValues {
  return {
    signatureHeader: source?.signatureHeader ?? 'X-Signature',
    signatureEncoding: source?.signatureEncoding ?? 'hex',
    signaturePrefix: source?.signaturePrefix ?? '',
  };
}

/** Returns the header that a sender must set: "X-Signature: sha256=<64 hex digits>". */
export function exampleHeader({ signatureHeader, signatureEncoding, signaturePrefix }: SignatureValues): string {
  const digest = signatureEncoding === 'hex' ? '<64 hex digits>' : '<44 base64 characters>';
  return `${signatureHeader.trim() || 'X-Signature'}: ${signaturePrefix.trim()}${digest}`;
}
