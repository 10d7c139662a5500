import { isJsonObject } from '../../base/json-object.ts'
import type { JsonSchema, Prompt } from '../../seam/prompt.ts'
import type { AgUiInterrupt } from './outcome.ts'
import type { AgUiToolCall } from './messages.ts'
import { jsonOr } from './call-parts.ts'

/** A tool of the page: the user, or the app, gives its output. */
export interface PageTool {
  /** The description of its effect for the agent. */
  readonly description: string
  /** JSON Schema of the arguments. @default an object of any members */
  readonly parameters?: JsonSchema | undefined
  /** JSON Schema of the output, which the form asks for. @default any JSON */
  readonly output?: JsonSchema | undefined
  /** The question, as plain text. @default the name of the tool */
  readonly message?: string | undefined
}

/** The one option that is consent. */
export const ALLOW = 'allow'
const DENY = 'deny'

/** Reason of TanStack for a tool that the page offered. */
export const PAGE_TOOL_REASON = 'tanstack:client_tool_execution'

/** The id of a prompt is that of what is asked, in its run. */
export function promptIdOf(requestId: string, id: string): string {
  return `${requestId}/${id}`
}

/** Schema of a property, of the schema or of one of its alternatives. Undefined: the schema allows no such property. */
function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const alternatives = ['oneOf', 'anyOf'].flatMap((key) => schema?.[key] ?? [])
  for (const each of [schema, ...alternatives]) {
    const properties = isJsonObject(each) ? each['properties'] : undefined
    const property = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isJsonObject(property)) return property
  }
  return undefined
}

/** Whether an interrupt asks for consent, and not for a value. */
export function asksForConsent({ reason, responseSchema }: AgUiInterrupt): boolean {
  if (reason !== 'tool_call' && reason !== 'confirmation') return false
  return (
    responseSchema === undefined ||
    responseSchema['type'] === 'boolean' ||
    propertyOf(responseSchema, 'approved') !== undefined
  )
}

/** The form of consent in the schema: an object with `approved`, or a bare boolean. */
export function consentPayload({ responseSchema }: AgUiInterrupt, approved: boolean, edits?: unknown): unknown {
  if (responseSchema?.['type'] === 'boolean') return approved
  return { approved, ...(edits !== undefined && { editedArgs: edits }) }
}

interface Asking {
  readonly requestId: string
  /** The call it is about. Absent: none. */
  readonly call: AgUiToolCall | undefined
}

/** The question of an interrupt. */
export function interruptPrompt(interrupt: AgUiInterrupt, { requestId, call }: Asking): Prompt {
  const { id, reason, message, responseSchema, expiresAt } = interrupt
  const until = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt)
  const name = call?.function.name
  const common = {
    ...commonOf(requestId, id, call, propertyOf(responseSchema, 'editedArgs')),
    ...(!Number.isNaN(until) && { expiresAt: until }),
  }
  if (!asksForConsent(interrupt))
    return { ...common, kind: 'form', message: message ?? name ?? reason, schema: responseSchema ?? {} }
  // Servers of this package write that question for pages without words: with the name, this one asks in its own language.
  const isPlain = name !== undefined && (message === undefined || message === `Allow ${name}?`)
  return {
    ...common,
    kind: 'approval',
    message: isPlain ? '' : (message ?? reason),
    options: [
      { id: ALLOW, label: 'Allow', kind: 'allow-once' },
      { id: DENY, label: 'Deny', kind: 'reject-once' },
    ],
  }
}

/** The question for the output of a tool of the page. @param id that of the call, or of the interrupt that names it */
export function outputPrompt(id: string, { requestId, call }: Asking, tool: PageTool): Prompt {
  const message = tool.message ?? call?.function.name ?? id
  return { ...commonOf(requestId, id, call, undefined), kind: 'form', message, schema: tool.output ?? {} }
}

function commonOf(
  requestId: string,
  id: string,
  call: AgUiToolCall | undefined,
  editable: JsonSchema | undefined,
): Omit<Prompt, 'kind' | 'message'> {
  const name = call?.function.name ?? ''
  const input = call && jsonOr(call.function.arguments)
  return {
    id: promptIdOf(requestId, id),
    streamId: requestId,
    ...(call && {
      // Only this page compares it, so the subject itself is the digest that binds an answer to it.
      subject: {
        toolCallId: call.id,
        name,
        input,
        digest: JSON.stringify([name, input]),
        ...(editable && { editable }),
      },
    }),
    onExpiry: 'cancel',
    group: requestId,
    answeredBy: 'next-run',
    state: 'open',
  }
}
