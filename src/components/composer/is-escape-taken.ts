/** Whether something open above `part` closes by Escape: a popover or a dialog in the top layer that `part` is not in. */
export function isEscapeTaken(part: Element): boolean {
  const open = document.querySelectorAll('[popover]:not([popover=manual]):popover-open, dialog:modal')
  return [...open].some((above) => !above.contains(part))
}
