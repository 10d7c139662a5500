/** Browsers type line by line into a text box, each line slower than the one before: 1,000 take Chrome seconds. */
const MOST_LINES = 50

/**
 * Puts text into a box the way typing does, where the browser lets us, so that Ctrl+Z leads back to what was there.
 * Setting `value` forgets all that was typed before, and is for what would take too long to type.
 */
export function replaceText(box: HTMLTextAreaElement, text: string): void {
  if (box.matches(':focus') && text.split('\n', MOST_LINES + 1).length <= MOST_LINES) {
    box.select()
    // Deprecated, and the only way into the history of a text box. It may be missing, and it may refuse.
    // oxlint-disable-next-line typescript/no-deprecated
    if (box.ownerDocument.execCommand?.(text === '' ? 'delete' : 'insertText', false, text) && box.value === text)
      return
  }
  box.value = text
}
