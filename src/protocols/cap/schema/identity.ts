import * as z from 'zod/mini'
import { optional, text } from './json-schemas.ts'

/** A person or agent of G2 (CAP section 3.4). */
export const identitySchema = /* @__PURE__ */ z.object({ id: text, name: text, role: optional(text) }, 'must be an object with id and name')

export type Identity = z.output<typeof identitySchema>

/** The identity of someone who did not sign in. */
export const ANONYMOUS: Identity = { id: 'anonymous', name: 'Anonymous User', role: 'user' }
