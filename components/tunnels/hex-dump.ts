const BYTES_PER_LINE = 16;

/** Returns the bytes of base64 text. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Formats bytes as lines of offset, hexadecimal and ASCII, as `hexdump -C` does. Shows at most `maxBytes`. */
export function hexDump(bytes: Uint8Array, maxBytes: number): string {
  const lines: string[] = [];
  for (let offset = 0; offset < Math.min(bytes.length, maxBytes); offset += BYTES_PER_LINE) {
    const part = [...bytes.subarray(offset, Math.min(offset + BYTES_PER_LINE, maxBytes))];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(BYTES_PER_LINE * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}
