/** What this page is, for who sees it for the first time. The same for every company, so that it is there before the session. */
export function Intro() {
  return (
    <p className="mt-2 max-w-2xl text-muted">
      Webhooks tell your own software at once when something happens: each is a request to a URL that you choose. Here
      you choose these URLs, called endpoints, and see what was sent to them.
    </p>
  );
}
