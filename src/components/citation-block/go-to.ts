/** Takes the keyboard and the eye to an element. The address bar stays: the page may route by its hash. */
export function goTo(element: HTMLElement): void {
  element.scrollIntoView({ block: 'nearest' })
  element.focus({ preventScroll: true })
}
