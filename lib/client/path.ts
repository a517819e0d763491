export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names in braces of a path template. */
type NamesOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesOf<Rest> : never;

/** The ids that fill a path template. `projectId` may come from the options instead. */
export type IdsOf<P extends string> = Record<Exclude<NamesOf<P>, 'projectId'>, string> & { projectId?: string };

/**
 * Fills a path template.
 * @throws TypeError when an id is missing, or would lead to another path
 */
export function fillPath(template: string, ids: Readonly<Record<string, string | undefined>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id = ids[name];
    if (id === undefined && name === 'projectId') {
      throw new TypeError('projectId is missing: set it in the options of the client or of the call.');
    }
    // fetch resolves "." and "..", also in percent-encoding.
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${name} must be an id.`);
    return encodeURIComponent(id);
  });
}
