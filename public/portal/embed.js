/* <eds-portal src="link of your server"></eds-portal> shows the webhooks of a customer. See /docs/guides/portal. */
(() => {
  if (customElements.get('eds-portal')) return;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const style = new CSSStyleSheet();
  style.replaceSync(':host{display:block}iframe{display:block;width:100%;height:480px;border:0}');

  class Portal extends HTMLElement {
    static observedAttributes = ['src', 'color-scheme'];
    #frame = null;
    #page = null;
    #isReady = false;
    #shown = '';
    #observer = new MutationObserver(() => this.#showScheme());

    constructor() {
      super();
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [style];
    }

    get src() {
      return this.getAttribute('src') ?? '';
    }

    set src(link) {
      this.setAttribute('src', link);
    }

    connectedCallback() {
      addEventListener('message', this.#receive);
      system.addEventListener('change', this.#showScheme);
      // Pages change their theme by an attribute of one of these.
      for (const each of [document.documentElement, document.body]) this.#observer.observe(each, { attributes: true });
      if (this.#frame === null) this.#show();
    }

    disconnectedCallback() {
      removeEventListener('message', this.#receive);
      system.removeEventListener('change', this.#showScheme);
      this.#observer.disconnect();
      this.#frame?.remove();
      this.#frame = null;
    }

    attributeChangedCallback(name, before, now) {
      if (!this.isConnected || before === now) return;
      if (name === 'src') this.#show();
      else this.#showScheme();
    }

    /** A page that runs gets the new link, so that nothing typed is lost. */
    #show() {
      const url = URL.canParse(this.src) ? new URL(this.src) : null;
      if (url === null || !/^https?:$/.test(url.protocol)) return;
      const link = url.hash.slice(1);
      url.hash = '';
      if (this.#frame !== null && this.#isReady && this.#page.href === url.href) {
        this.#send({ type: 'eds-portal:link', link });
        return;
      }
      this.#page = url;
      this.#isReady = false;
      this.#shown = this.#scheme();
      this.#frame = document.createElement('iframe');
      this.#frame.title = this.title || 'Webhooks';
      this.#frame.allow = 'clipboard-write';
      this.#frame.style.colorScheme = this.#shown === 'system' ? 'light dark' : this.#shown;
      this.#frame.src = `${url.href}#${link}&scheme=${this.#shown}`;
      this.shadowRoot.replaceChildren(this.#frame);
    }

    #scheme() {
      const own = this.getAttribute('color-scheme');
      if (['light', 'dark', 'system'].includes(own)) return own;
      const ofPage = getComputedStyle(this).colorScheme.split(' ');
      if (!ofPage.includes('dark')) return 'light';
      return ofPage.includes('light') ? 'system' : 'dark';
    }

    #showScheme = () => {
      const scheme = this.#scheme();
      if (this.#frame === null || !this.#isReady || scheme === this.#shown) return;
      this.#shown = scheme;
      this.#frame.style.colorScheme = scheme === 'system' ? 'light dark' : scheme;
      this.#send({ type: 'eds-portal:scheme', scheme });
    };

    #send(message) {
      this.#frame.contentWindow?.postMessage(message, this.#page.origin);
    }

    #receive = ({ source, origin, data }) => {
      if (this.#frame === null || source !== this.#frame.contentWindow || origin !== this.#page.origin) return;
      if (data?.type === 'eds-portal:ready') {
        this.#isReady = true;
        this.#showScheme();
      } else if (data?.type === 'eds-portal:size' && data.height > 0 && data.height < 100_000) {
        this.#frame.style.height = `${Math.ceil(data.height)}px`;
      } else if (data?.type === 'eds-portal:expiring') {
        this.dispatchEvent(new CustomEvent('eds-portal-expired', { bubbles: true, composed: true }));
      }
    };
  }

  customElements.define('eds-portal', Portal);
})();
