import * as z from 'zod/mini'
import { optional, text } from './json-schemas.ts'

/** A user or agent of G2 (CAP section 3.4). */
export const identitySchema = /* @__PURE__ */ z.object(
  { id: text, name: text, role: optional(text) },
  'must be an object with id and name',
)
