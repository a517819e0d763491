const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** Formats bytes in powers of 1000: "812 B", "12.4 kB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
