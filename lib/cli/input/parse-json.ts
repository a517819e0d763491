import { usageError } from './usage-error';

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON that is sent to the API.
 * @param name how an error calls it, such as "--data"
 * @throws CliError when it is not JSON, or has a number that would be sent as another one
 */
export function parseJson(text: string, name: string): unknown {
  const value = parse(text, name);
  const rounded = text.match(STRINGS_AND_NUMBERS)?.find((token) => !token.startsWith('"') && isRounded(token));
  if (rounded === undefined) return value;
  throw usageError(`${name} has the number ${rounded}, which would be rounded.`, 'Send it as a string.');
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message quotes a part of the text, which may be long or of several lines.
    const fault = (error as Error).message.replace(/, ("|\.{3}).*/s, '').replaceAll('\n', ' ');
    throw usageError(`${name} is not JSON: ${fault}.`, `Put it in single quotes, such as '{"id": 1}'.`);
  }
}

/** Integers above 2^53 are rounded; the digits after a point may always be. */
function isRounded(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  return /^-?\d+$/.test(token) && BigInt(token) !== BigInt(number);
}
