/** What is used of a WebSocket of workerd. */
export interface DurableWebSocket {
  send(frame: string): void
  close(code?: number, reason?: string): void
}

/** What is used of the `ctx` of a Durable Object. Its class has to be one of `new_sqlite_classes`. */
export interface DurableObjectContext {
  readonly storage: {
    readonly sql: {
      exec(
        query: string,
        ...values: (string | number | ArrayBuffer | null)[]
      ): {
        toArray(): Record<string, unknown>[]
      }
    }
    transactionSync<Value>(work: () => Value): Value
    setAlarm(at: number): Promise<void>
  }
  acceptWebSocket(socket: DurableWebSocket): void
  getWebSockets(): DurableWebSocket[]
}
