import { isString } from '../../base/guards.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { invalidBody } from '../http/read-json-body.ts'

/** What is wrong with a value, and where in it. Undefined: nothing. */
type Check = (value: unknown) => Issue | undefined

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const issue = (message: string): Issue => ({ path: [], message })
const at = (key: PropertyKey, found: Issue | undefined): Issue | undefined =>
  found && { ...found, path: [key, ...found.path] }

const text: Check = (value) => (isString(value) ? undefined : issue('must be a string'))
const object: Check = (value) => (isJsonObject(value) ? undefined : issue('must be an object'))
const status: Check = (value) =>
  value === 'resolved' || value === 'cancelled' ? undefined : issue('must be "resolved" or "cancelled"')
/** Older clients write null for a member that is absent. */
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null ? undefined : check(value)
const list =
  (item: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return issue('must be an array')
    const place = value.findIndex((each) => item(each) !== undefined)
    return place === -1 ? undefined : at(place, item(value[place]))
  }
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isJsonObject(value)) return issue('must be an object')
    for (const [key, check] of Object.entries(checks)) {
      const found = at(key, check(value[key]))
      if (found !== undefined) return found
    }
    return undefined
  }

/** Parts are open to types of later versions; only text is read of them. */
const part: Check = (value) =>
  members({ type: text, ...(isJsonObject(value) && value['type'] === 'text' && { text }) })(value)
const parts: Check = (value) => {
  if (isString(value)) return undefined
  return Array.isArray(value) ? list(part)(value) : issue('must be a string or an array of content parts')
}
const toolCall = members({ id: text, function: members({ name: text, arguments: text }) })

/** The members of a message, by its role. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  developer: { content: text },
  system: { content: text },
  user: { content: parts },
  assistant: { content: optional(text), toolCalls: optional(list(toolCall)) },
  tool: { content: parts, toolCallId: text },
  reasoning: { content: text },
  activity: { content: object },
}

const membersOf = ({ role }: JsonObject): Readonly<Record<string, Check>> | undefined =>
  isString(role) && Object.hasOwn(MESSAGES, role) ? MESSAGES[role] : undefined

const message: Check = (value) => members({ id: text, role: text, ...(isJsonObject(value) && membersOf(value)) })(value)

const input = members({
  threadId: text,
  runId: text,
  parentRunId: optional(text),
  messages: list(message),
  tools: optional(list(members({ name: text, description: text }))),
  context: optional(list(members({ description: text, value: text }))),
  resume: optional(list(members({ interruptId: text, status }))),
})

/** What is read of the body of an AG-UI run. */
export interface RunAgentInput {
  readonly threadId: string
  readonly runId: string
  /** Those with a role of this version. */
  readonly messages: readonly JsonObject[]
  readonly resume: readonly JsonObject[]
}

/**
 * Reads the body of an AG-UI run (AG-UI 1.0, RunAgentInput). Messages of unknown roles are left out.
 *
 * @throws HttpRefusal 400 that names the member
 */
export function readRunAgentInput(body: JsonObject): RunAgentInput {
  const found = input(body)
  if (found !== undefined) throw invalidBody('RunAgentInput of AG-UI', [found])
  // Its members were checked by the table above.
  const { threadId, runId, messages, resume } = body as unknown as RunAgentInput
  return { threadId, runId, messages: messages.filter(membersOf), resume: resume ?? [] }
}
