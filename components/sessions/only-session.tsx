/** Under the one row of somebody who is signed in nowhere else: what would appear here, and how. */
export function OnlySession() {
  return (
    <div className="border-t px-4 py-8 text-center">
      <h2 className="font-semibold text-base">You are signed in nowhere else</h2>
      <p className="mx-auto mt-1 max-w-md text-balance text-muted text-sm">
        Other browsers appear here once you sign in there, and a command line once you approve its code.
      </p>
    </div>
  );
}
