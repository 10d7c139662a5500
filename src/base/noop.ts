/** Does nothing: the initial value of callbacks that are set later. */
export function noop(): void {}
