/** Messages between the tabs of one conversation, as a port. What cannot be cloned is not sent. */
export interface TabChannel {
  post(message: unknown): void
  /** Called with messages of other tabs, never its own. */
  onMessage(listener: (message: unknown) => void): void
  close(): void
}
