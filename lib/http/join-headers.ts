type Headers = Record<string, string>;

/** Merges two sets of headers. The values of `Vary` are combined (RFC 9110 section 12.5.5). */
export function joinHeaders(headers: Headers, added: Headers): Headers {
  const joined = { ...headers, ...added };
  if (headers.Vary !== undefined && added.Vary !== undefined) joined.Vary = `${headers.Vary}, ${added.Vary}`;
  return joined;
}
