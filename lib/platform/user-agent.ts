import Bowser from 'bowser';

const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
/** Beyond it nothing is read: browsers stay well below, and the parser tries some hundred patterns. */
const MAX_LENGTH = 512;

/** What a User-Agent says of its sender; null where it says nothing that is known. */
export interface UserAgentNames {
  /** Such as "Firefox". */
  browser: string | null;
  /** Such as "macOS". */
  system: string | null;
}

/** Reads the browser and the system out of a User-Agent. Only names of a fixed list come out: the text is the sender's own. */
export function readUserAgent(userAgent: string): UserAgentNames {
  if (userAgent === '') return { browser: null, system: null };
  const parser = Bowser.getParser(userAgent.slice(0, MAX_LENGTH));
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  return { browser: BROWSERS.has(browser) ? browser : null, system: SYSTEMS.has(system) ? system : null };
}
