/**
 * Returns the commands that sign in and connect a local server on port 4000.
 * @param tunnelId null for the tunnel that the command creates for its machine
 */
export function listenCommand(baseUrl: string, projectId: string, tunnelId: string | null): string {
  const chosen = tunnelId === null ? '' : ` --tunnel ${tunnelId}`;
  return `eds login --url ${baseUrl}\neds listen 4000 --project ${projectId}${chosen}`;
}
