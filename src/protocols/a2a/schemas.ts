import * as z from 'zod/mini'
import { AGENT_CARD } from './agent-card.ts'
import {
  MEMBERS,
  MESSAGE,
  PART,
  readMessageId,
  readPart,
  readParts,
  readRole,
  readState,
  TASK,
  WRAPPED,
} from './messages.ts'
import { zodOf } from './zod-of.ts'

const text = /* @__PURE__ */ z.string('must be a string')

/** One part of a message or an artifact: `text`, `raw` (base64), `url` or `data` (any JSON), and what it is. */
const partSchema = /* @__PURE__ */ zodOf(PART)

/** What A2A 1.0 allows where the reader accepts 0.3, too. */
const SPECIFIED = /* @__PURE__ */ new Map<(value: unknown, path: string) => unknown, z.ZodMiniType>([
  [readMessageId, z._default(text, '')],
  [readRole, text],
  [readState, text],
  [readPart, partSchema],
  [readParts, z._default(z.array(partSchema, 'must be a list of parts'), [])],
])

/** The card of an agent (A2A 1.0). Names, addresses and examples are untrusted text. */
export const agentCardSchema = /* @__PURE__ */ zodOf(AGENT_CARD)

/** A message (A2A 1.0). `role` is ROLE_USER or ROLE_AGENT; the id may be missing in what servers keep. */
export const messageSchema = /* @__PURE__ */ zodOf(MESSAGE, SPECIFIED)

/** A task as a whole (A2A 1.0). */
export const taskSchema = /* @__PURE__ */ zodOf(TASK, SPECIFIED)

/** One event of a stream, and the answer to SendMessage: exactly one of the four members (A2A 1.0). */
export const streamResponseSchema = /* @__PURE__ */ zodOf(WRAPPED, SPECIFIED).check(
  z.refine((event) => Object.values(event).filter((member) => member !== undefined).length === 1, MEMBERS),
)
