/** A call of A2A, as far as the log of the wire needs it. */
export interface A2ACall {
  readonly method: string
  /** Of the message that it sends. Undefined: it sends none. */
  readonly messageId: string | undefined
  /** It is answered with the events of a task. */
  readonly streams: boolean
}

/** The call that a request is; undefined for a request of another protocol. */
export function readA2ACall(body: RequestInit['body']): A2ACall | undefined {
  if (typeof body !== 'string' || !body.startsWith('{"jsonrpc"')) return undefined
  // Our own client has written it.
  const { method, params } = JSON.parse(body) as {
    readonly method: string
    readonly params?: { readonly message?: { readonly messageId?: string } }
  }
  const streams = method === 'SendStreamingMessage' || method === 'SubscribeToTask'
  return { method, messageId: params?.message?.messageId, streams }
}
