/** A request to a source, as it arrived. */
export interface ReceivedRequest {
  /** Returns a header by its lower-case name. */
  header(name: string): string | null;
  /** The body, byte for byte. */
  body: Buffer;
}

/** How a source checks signatures. */
export interface SignatureRule {
  provider: SignedProvider;
  /** The secrets that are valid now: one, or two during a rotation. */
  secrets: readonly string[];
  /** The header that holds the signature. Only GENERIC_HMAC uses this and the next two fields. */
  header: string;
  encoding: 'hex' | 'base64';
  /** Text before the signature in the header, such as `sha256=`; empty for none. */
  prefix: string;
}

export type SignedProvider = 'GENERIC_HMAC' | 'STANDARD_WEBHOOKS' | 'STRIPE' | 'GITHUB' | 'SHOPIFY' | 'SLACK';
