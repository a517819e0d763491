/** A response that an adapter writes as it is. */
export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  content: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** The content in gzip, if it was compressed beforehand. */
  gzip?: Uint8Array;
  /** How large the content was when it was made: it may be compressed, or not sent. Unknown for a stream. */
  contentBytes?: number;
}
