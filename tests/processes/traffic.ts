import { setTimeout as sleep } from 'node:timers/promises';

/** A project with an endpoint for all events, and the credentials of its owner and of a sender. */
export interface Project {
  origin: string;
  id: string;
  path: string;
  accessToken: string;
  key: string;
}

export interface Traffic {
  /** Ids of the events that were answered with 202. */
  stored: Set<string>;
  /** Each response that was not a success. */
  faults: string[];
  stop(): Promise<void>;
}

const SENDERS = 4;
/** The lists and pages that people have open. */
const READS = ['/events', '/deliveries', '/endpoints', '/subscriptions', '/api-keys', '/sources', '/tunnels'];

/** The owner of the project. */
const ACCOUNT = { email: 'ada@example.com', password: 'correct horse battery' };

/** Calls the API. Returns the JSON of a success. @throws Error with the status and the problem */
export async function call(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** A busy machine may hash no password in time, and says so. The client has to try again. */
const isBusy = (error: Error) => error.message.includes('"code":"overloaded"');

/** Signs the owner in again. Returns the access token. */
export async function signInAgain(origin: string): Promise<string> {
  for (;;) {
    try {
      return (await call(origin, 'POST', '/auth/login', {}, ACCOUNT)).accessToken;
    } catch (error) {
      if (!isBusy(error as Error)) throw error;
    }
  }
}

/** Registers a person over the API, with a project that sends all events to `url`. */
export async function setUpProject(origin: string, url: string): Promise<Project> {
  const { accessToken, organization } = await call(origin, 'POST', '/auth/register', {}, ACCOUNT);
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const { id } = await call(origin, 'POST', `/orgs/${organization.id}/projects`, bearer, { name: 'Shop' });
  const path = `/projects/${id}`;
  const endpoint = await call(origin, 'POST', `${path}/endpoints`, bearer, { url });
  await call(origin, 'POST', `${path}/subscriptions`, bearer, { endpointId: endpoint.id, eventType: '*' });
  const { key } = await call(origin, 'POST', `${path}/api-keys`, bearer, { name: 'sender' });
  return { origin, id, path, accessToken, key };
}

/** Sends events, reads lists and signs in, all at once and without a pause, until it is stopped. */
export function sendUntilStopped({ origin, path, accessToken, key }: Project): Traffic {
  const stored = new Set<string>();
  const faults: string[] = [];
  let isStopped = false;
  const repeat = async (work: (index: number) => Promise<void>, pauseMs: number) => {
    for (let index = 0; !isStopped; index++) {
      await work(index).catch((error: Error) => isBusy(error) || faults.push(error.message));
      await sleep(pauseMs);
    }
  };
  const send = async (index: number) => {
    const event = await call(origin, 'POST', '/events', { 'X-API-Key': key }, { type: 'order.paid', data: { index } });
    stored.add(event.id);
  };
  const read = async (index: number) => {
    const list = READS[index % READS.length];
    await call(origin, 'GET', `${path}${list}`, { Authorization: `Bearer ${accessToken}` });
  };
  const signIn = async () => void (await call(origin, 'POST', '/auth/login', {}, ACCOUNT));
  const running = [...Array.from({ length: SENDERS }, () => repeat(send, 5)), repeat(read, 20), repeat(signIn, 100)];
  return {
    stored,
    faults,
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}
