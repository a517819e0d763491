const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes in powers of 1000: "0 B", "312 kB", "1.2 GB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** Formats a count: "12,345". */
export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}
