import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { THEME_SCRIPT } from './theme-script';

interface Opened {
  stored: string | null | 'refused';
  systemIsDark?: boolean;
  address?: string;
  isFramed?: boolean;
}

/** Runs the script in a page with this stored choice; `refused` denies access to storage. */
function open({ stored, systemIsDark = false, address = '/login', isFramed = false }: Opened) {
  const page = new EventTarget();
  const window = {};
  const system = Object.assign(new EventTarget(), { matches: systemIsDark });
  const classes = new Set(['font']);
  const root = {
    dataset: {} as Record<string, string>,
    style: {} as Record<string, string>,
    classList: {
      add: (name: string) => classes.add(name),
      remove: (...names: string[]) => {
        for (const name of names) classes.delete(name);
      },
    },
  };
  let added = 0;
  vm.runInNewContext(THEME_SCRIPT, {
    Event,
    URLSearchParams,
    location: new URL(address, 'https://events.example'),
    window,
    parent: isFramed ? {} : window,
    matchMedia: () => system,
    localStorage: {
      getItem: () => {
        if (stored === 'refused') throw new Error('Storage is disabled.');
        return stored;
      },
    },
    addEventListener: page.addEventListener.bind(page),
    dispatchEvent: page.dispatchEvent.bind(page),
    getComputedStyle: () => ({}),
    setTimeout: (run: () => void) => run(),
    document: {
      documentElement: root,
      createElement: () => ({ remove: () => added-- }),
      head: { append: () => added++ },
    },
  });
  const look = () => ({ chosen: root.dataset.theme, classes: [...classes], scheme: root.style.colorScheme });
  return { page, system, look, stylesLeft: () => added, isFramed: () => 'framed' in root.dataset };
}

const event = (name: string, fields: object) => Object.assign(new Event(name), fields);

describe('the theme of a page', () => {
  it.each([
    [{ stored: 'light', systemIsDark: true }, 'light', 'light'],
    [{ stored: 'dark', systemIsDark: false }, 'dark', 'dark'],
    [{ stored: 'system', systemIsDark: true }, 'system', 'dark'],
    [{ stored: null, systemIsDark: true }, 'system', 'dark'],
    [{ stored: null, systemIsDark: false }, 'system', 'light'],
    [{ stored: 'refused', systemIsDark: true }, 'system', 'dark'],
    [{ stored: '<script>', systemIsDark: false }, 'system', 'light'],
  ])('%j shows what was chosen, or what the system shows', (given, chosen, shown) => {
    expect(open(given).look()).toEqual({ chosen, classes: ['font', shown], scheme: shown });
  });

  it('follows a choice on the page, and leaves no style behind', () => {
    const { page, look, stylesLeft } = open({ stored: 'light' });
    page.dispatchEvent(event('theme-choice', { detail: 'dark' }));
    expect(look()).toEqual({ chosen: 'dark', classes: ['font', 'dark'], scheme: 'dark' });
    expect(stylesLeft()).toBe(0);
  });

  it('follows a choice in another tab, and nothing else that is stored', () => {
    const { page, look } = open({ stored: 'light' });
    page.dispatchEvent(event('storage', { key: 'other', newValue: 'dark' }));
    expect(look().chosen).toBe('light');
    page.dispatchEvent(event('storage', { key: 'theme', newValue: 'dark' }));
    expect(look().chosen).toBe('dark');
  });

  it('follows the system only until a theme is chosen', () => {
    const { page, system, look } = open({ stored: null });
    system.matches = true;
    system.dispatchEvent(new Event('change'));
    expect(look().classes).toEqual(['font', 'dark']);
    page.dispatchEvent(event('theme-choice', { detail: 'light' }));
    system.dispatchEvent(new Event('change'));
    expect(look().classes).toEqual(['font', 'light']);
  });
});

describe('the theme of a portal', () => {
  const link = '/portal/01#plink_x';

  it('is that of its link, and reads no storage', () => {
    expect(open({ stored: 'dark', address: `${link}&scheme=light`, systemIsDark: true }).look()).toEqual({
      chosen: 'light',
      classes: ['font', 'light'],
      scheme: 'light',
    });
    const { page, look } = open({ stored: 'dark', address: link });
    page.dispatchEvent(event('storage', { key: 'theme', newValue: 'dark' }));
    expect(look().chosen).toBe('system');
  });

  it('leaves scrolling to the page around it, and scrolls on its own', () => {
    expect(open({ stored: null, address: link, isFramed: true }).isFramed()).toBe(true);
    expect(open({ stored: null, address: link }).isFramed()).toBe(false);
  });
});
