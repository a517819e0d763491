/**
 * Returns the command that connects a local server, to be run in the folder of the service.
 * @param tunnelId null for the tunnel that the command creates for its machine
 */
export function listenCommand(baseUrl: string, tunnelId: string | null): string {
  const chosen = tunnelId === null ? '' : ` --tunnel ${tunnelId}`;
  return `EDS_API_URL=${baseUrl} EDS_API_KEY=$EDS_API_KEY npm run tunnel -- 3000${chosen}`;
}
