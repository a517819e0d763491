import Bowser from 'bowser';

const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));
/** Longer text is cut: browsers stay well below, and the parser tries hundreds of patterns. */
const MAX_LENGTH = 512;

/** The names in a User-Agent; null if unknown. */
interface UserAgentNames {
  /** Such as "Firefox". */
  browser: string | null;
  /** Such as "macOS". */
  system: string | null;
}

/** Parses browser and system from a User-Agent. Returns only names from a fixed list: the sender controls the text. */
export function readUserAgent(userAgent: string): UserAgentNames {
  if (userAgent === '') return { browser: null, system: null };
  const parser = Bowser.getParser(userAgent.slice(0, MAX_LENGTH));
  const browser = parser.getBrowserName();
  const system = parser.getOSName();
  return { browser: BROWSERS.has(browser) ? browser : null, system: SYSTEMS.has(system) ? system : null };
}
