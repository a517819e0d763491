/** Lists what a caller keeps with a resource: "plan: enterprise, region: eu". */
export function describeMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
