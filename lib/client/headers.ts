/**
 * Returns headers after a check of their values.
 * @throws TypeError that names the header; fetch itself would put the value into its message, which may be a credential
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Headers {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError('A header has a name that is not valid.');
    if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
      throw new TypeError(`${name} must be printable ASCII without spaces at its ends.`);
    }
    checked.set(name, value);
  }
  return checked;
}
