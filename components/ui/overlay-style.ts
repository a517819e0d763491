export const overlayStyle = 'fixed inset-0 z-40 bg-overlay';
export const panelStyle =
  'fixed z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] flex-col rounded-xl bg-surface shadow-floating animate-enter top-1/2 left-1/2 -translate-1/2';
