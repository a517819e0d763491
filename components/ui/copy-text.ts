/**
 * Puts text on the clipboard; false when the browser refuses.
 *
 * `navigator.clipboard` is absent on plain http (a deployment on a private network), where only the old command works.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, for example without focus: the old way may still be allowed.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the open dialog, or its focus trap takes the selection back.
  const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  host.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
