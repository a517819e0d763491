import type { SignatureEncoding, SourceProvider } from '@/lib/incoming/schema';
import { fieldError } from '@/lib/platform/errors';

interface SignatureFields {
  signatureHeader?: string | undefined;
  signatureEncoding?: SignatureEncoding | undefined;
  signaturePrefix?: string | undefined;
}

const DEFAULTS = { signatureHeader: 'X-Signature', signatureEncoding: 'hex', signaturePrefix: '' } as const;

/**
 * Returns where a new source finds its signature. The user chooses that only for a generic HMAC.
 * @throws AppError validation_failed when the provider fixes it
 */
export function signatureFields(provider: SourceProvider, given: SignatureFields) {
  refuseFixedFields(provider, given);
  if (provider !== 'GENERIC_HMAC') return {};
  return {
    signatureHeader: given.signatureHeader ?? DEFAULTS.signatureHeader,
    signatureEncoding: given.signatureEncoding ?? DEFAULTS.signatureEncoding,
    signaturePrefix: given.signaturePrefix ?? DEFAULTS.signaturePrefix,
  };
}

/** @throws AppError validation_failed when the provider fixes a given field */
export function refuseFixedFields(provider: SourceProvider, given: SignatureFields): void {
  if (provider === 'GENERIC_HMAC') return;
  const fixed = (Object.keys(DEFAULTS) as (keyof SignatureFields)[]).find((name) => given[name] !== undefined);
  if (fixed !== undefined) throw fieldError(fixed, 'is only for the provider GENERIC_HMAC');
}
