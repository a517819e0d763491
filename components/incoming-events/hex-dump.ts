const ROW_BYTES = 16;

/** Formats bytes as `hexdump -C` does: offset, sixteen bytes, and their printable ASCII characters. */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += ROW_BYTES) {
    const row = [...bytes.subarray(offset, offset + ROW_BYTES)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, ROW_BYTES / 2), hex.slice(ROW_BYTES / 2)].map((half) => half.join(' '));
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${offset.toString(16).padStart(8, '0')}  ${halves.join('  ').padEnd(ROW_BYTES * 3)}  ${text}`);
  }
  return rows.join('\n');
}

/** Decodes at most `maxBytes` bytes of base64. */
export function decodeBase64Start(base64: string, maxBytes: number): Uint8Array {
  const text = atob(base64.slice(0, Math.ceil(maxBytes / 3) * 4));
  return Uint8Array.from(text.slice(0, maxBytes), (character) => character.charCodeAt(0));
}
