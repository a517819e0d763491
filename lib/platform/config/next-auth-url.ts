import { config } from './config';

/**
 * Tells next-auth where it stands. It takes this from the environment alone: unset, it would believe any Host header, and
 * a value of the deployment's own for another application would lead people there. Called before each use, since
 * nothing else may depend on the variable.
 */
export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = `${config().baseUrl}/api/v1/auth/oauth`;
}
