import { config } from './config';

/**
 * Sets the base URL of next-auth, which it reads only from the environment. Unset, it would trust any Host header; set for
 * another application of the deployment, it would send people there. Called before each use, so that nothing else has to
 * set the variable.
 */
export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = `${config().baseUrl}/api/v1/auth/oauth`;
}
