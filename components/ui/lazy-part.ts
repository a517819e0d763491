'use client';

import { type ComponentType, createElement, useEffect, useState } from 'react';

/** Code that the browser loads when a person first needs it. */
export interface LazyPart<Part> {
  /** Loads the part. A failed load is tried again by the next call. */
  load: () => Promise<Part>;
  /** Returns the part; null until it is loaded. */
  get: () => Part | null;
}

/** @param importPart an `import()` of a module */
export function lazyPart<Part>(importPart: () => Promise<Part>): LazyPart<Part> {
  let loaded: Part | null = null;
  let loading: Promise<Part> | null = null;
  return {
    get: () => loaded,
    load: () => {
      loading ??= importPart().then(
        (part) => {
          loaded = part;
          return part;
        },
        (error: unknown) => {
          loading = null;
          throw error;
        },
      );
      return loading;
    },
  };
}

/** Loads a part that the person is likely to need. An error is shown when they do need it. */
export function preload(part: LazyPart<unknown>): void {
  part.load().catch(() => undefined);
}

/** Returns the part; null until it is wanted and loaded. Throws to the nearest error boundary when it cannot be loaded. */
export function useLazyPart<Part>(part: LazyPart<Part>, isWanted: boolean): Part | null {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  const [, setLoaded] = useState<Part | null>(null);
  useEffect(() => {
    if (!isWanted || part.get() !== null) return;
    let isCurrent = true;
    part.load().then(
      // A function would be called as an update of the state.
      (loaded) => isCurrent && setLoaded(() => loaded),
      (error: unknown) => isCurrent && setFailure({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [part, isWanted]);
  if (failure !== null) throw failure.error;
  return part.get();
}

/** Returns a component that renders the part once it is loaded, for the content of a dialog that waits for it. */
export function whenLoaded<Props extends object>(part: LazyPart<ComponentType<Props>>): ComponentType<Props> {
  return function WhenLoaded(props: Props) {
    const Part = part.get();
    return Part === null ? null : createElement(Part, props);
  };
}
