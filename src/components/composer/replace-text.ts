/**
 * Puts text into a box the way typing does, where the browser lets us, so that Ctrl+Z leads back to what stood there.
 * Setting `value` would forget all that was typed before.
 */
export function replaceText(box: HTMLTextAreaElement, text: string): void {
  if (box.matches(':focus')) {
    box.select()
    // Deprecated, and the only way into the history of a text box. It may be missing, and it may refuse.
    // oxlint-disable-next-line typescript/no-deprecated, typescript/no-unnecessary-condition
    if (document.execCommand?.(text === '' ? 'delete' : 'insertText', false, text) && box.value === text) return
  }
  box.value = text
}
