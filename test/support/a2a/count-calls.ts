import { read } from '../../../src/base/format/shape.ts'
import type { RequestHandler } from 'express'
import express from 'express'

/** One request as the server saw it. */
export interface SeenCall {
  /** Of JSON-RPC; of HTTP+JSON, method and path. */
  readonly method: string
  readonly messageId: string | undefined
  readonly version: string | undefined
}

/** Writes down every request before it is answered. */
export function countCalls(calls: SeenCall[]): RequestHandler {
  const read = express.json({ limit: '20mb', type: () => true })
  return (req, res, next) => {
    read(req, res, () => {
      // Tests send what the specification says.
      const body = req.body as
        | { readonly method?: string; readonly params?: Sent; readonly message?: Sent['message'] }
        | undefined
      calls.push({
        method: body?.method ?? `${req.method} ${req.path}`,
        messageId: (body?.params?.message ?? body?.message)?.messageId,
        version: req.get('a2a-version'),
      })
      next()
    })
  }
}

interface Sent {
  readonly message?: { readonly messageId?: string }
}
