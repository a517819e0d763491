import { CliError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-secret';
import { flag, text } from '@/lib/cli/options';
import type { CreateDestinationBody } from '@/lib/incoming/schema';

type AuthInput = CreateDestinationBody['auth'];

/** The credential of a destination. */
export const AUTH_OPTIONS = {
  bearer: flag('--bearer', `send a bearer token, ${FROM_WHERE}`),
  basic: text('--basic <username>', `send a username and password, ${FROM_WHERE}`),
  header: text('--header <name>', `send a header whose value is ${FROM_WHERE}`),
};

interface GivenAuth {
  bearer: boolean;
  basic: string | undefined;
  header: string | undefined;
}

/** Whether a credential is given. @throws CliError when several are */
export function hasAuth({ bearer, basic, header }: GivenAuth): boolean {
  const count = [bearer || undefined, basic, header].filter((each) => each !== undefined).length;
  if (count <= 1) return count === 1;
  throw new CliError({
    message: 'A destination has one credential: give --bearer, --basic or --header.',
    code: 'usage',
    exitCode: EXIT.usage,
  });
}

/** Reads the secret part of the credential that the options name. @returns undefined when they name none */
export async function readAuth(context: Context, given: GivenAuth): Promise<AuthInput> {
  if (!hasAuth(given)) return undefined;
  const { basic, header } = given;
  if (basic !== undefined)
    return { type: 'BASIC', username: basic, password: await readSecret(context, 'the password') };
  if (header !== undefined) return { type: 'HEADER', name: header, value: await readSecret(context, 'the value') };
  return { type: 'BEARER', token: await readSecret(context, 'the token') };
}
