/**
 * Runs in the browser before the first paint, so that no page flashes in the wrong theme. Shows the theme that the person has
 * chosen, or that of the system, and follows both: other tabs, the event `theme-choice`, and the system. Names the language that the
 * reader has chosen for examples, so that their tabs do not change after the first paint. The portal belongs to the product that frames
 * it: it reads no storage, and its theme is that of the link (components/portal/parent-frame.ts).
 */
export const THEME_SCRIPT = `(() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const known = (text) => (text === 'light' || text === 'dark' ? text : 'system');
  const show = (theme) => {
    root.dataset.theme = theme;
    const shown = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    root.classList.remove('light', 'dark');
    root.classList.add(shown);
    root.style.colorScheme = shown;
    dispatchEvent(new Event('theme-shown'));
  };
  const change = (theme) => {
    const still = document.createElement('style');
    still.textContent = '*,*::before,*::after{transition:none!important}';
    document.head.append(still);
    show(theme);
    getComputedStyle(document.body).color;
    setTimeout(() => still.remove(), 1);
  };
  const isPortal = location.pathname.startsWith('/portal/');
  let stored = null;
  try {
    if (isPortal) {
      stored = new URLSearchParams(location.hash.slice(1)).get('scheme');
      if (parent !== window) root.dataset.framed = '';
    } else {
      stored = localStorage.getItem('theme');
      root.dataset.language = localStorage.getItem('eds-docs-language') || '';
    }
  } catch {}
  show(known(stored));
  system.addEventListener('change', () => change(root.dataset.theme));
  addEventListener('storage', (event) => {
    if (!isPortal && (event.key === 'theme' || event.key === null)) change(known(event.newValue));
  });
  addEventListener('theme-choice', (event) => change(known(event.detail)));
})()`;
