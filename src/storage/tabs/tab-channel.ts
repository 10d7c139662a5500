/** Messages between the tabs of one conversation, as a port. What cannot be cloned is not sent. */
export interface TabChannel {
  post(message: unknown): void
  /** Hears what others say, never itself. */
  onMessage(listener: (message: unknown) => void): void
  close(): void
}
