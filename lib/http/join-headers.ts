type Headers = Record<string, string>;

/** Adds headers to those of an answer; what it varies with adds up (RFC 9110 section 12.5.5). */
export function joinHeaders(headers: Headers, added: Headers): Headers {
  const joined = { ...headers, ...added };
  if (headers.Vary !== undefined && added.Vary !== undefined) joined.Vary = `${headers.Vary}, ${added.Vary}`;
  return joined;
}
