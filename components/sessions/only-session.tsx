/** Shown below the only session. */
export function OnlySession() {
  return (
    <div className="border-t px-4 py-8 text-center">
      <h2 className="font-semibold text-base">No other sessions</h2>
      <p className="mx-auto mt-1 max-w-md text-balance text-muted text-sm">
        Browsers appear here when you sign in, and command lines when you approve their code.
      </p>
    </div>
  );
}
