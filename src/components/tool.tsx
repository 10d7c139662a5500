'use client'

import { type ComponentType, type ReactNode, useState, useEffect, useMemo } from 'react'
import type { StandardSchema, StandardResult } from '../base/standard-schema.ts'
import { useChatStatus } from '../react/chat-context.ts'
import { type PromptControls, usePrompt } from '../react/use-prompts.ts'
import type { ToolCallStatus } from '../seam/agent-event.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { messageById } from '../state/chat-snapshot.ts'
import type { ShownToolCall, ToolRenderer } from './message/render-part.ts'

/** A partial value: members of objects may be missing, lists and strings may be shorter. */
export type PartialInput<Input> = Input extends readonly (infer Item)[]
  ? readonly PartialInput<Item>[]
  : Input extends object
    ? { readonly [Key in keyof Input]?: PartialInput<Input[Key]> | undefined }
    : Input

interface ToolViewBase {
  /** The tool, as the agent calls it. */
  readonly name: string
  readonly toolCallId: string
  /** Its result, or why it failed; not checked. Absent: none yet. */
  readonly output?: unknown
  /** False when the answer has ended: a tool that still runs by its `state` never came back. */
  readonly live: boolean
  /**
   * The prompt that asks the user to allow this call, whatever became of it, with the ways to answer it. Absent: the agent has not
   * asked.
   */
  readonly approval?: PromptControls | undefined
}

/** What a view of a tool gets. `state` narrows `input`: until the input is complete there is only `partial`. */
export type ToolViewProps<Input = unknown> = ToolViewBase &
  (
    | {
        readonly state: 'preparing'
        /** Absent: always, as it is still coming. */
        readonly input?: undefined
        /** The input received so far, not checked. Absent: none yet. */
        readonly partial?: PartialInput<Input> | undefined
      }
    | {
        readonly state: Exclude<ToolCallStatus, 'preparing'>
        /** The input as the schema gives it. */
        readonly input: Input
        /** Absent: always, as the input is complete. */
        readonly partial?: undefined
      }
  )

/**
 * How the calls of a tool are shown, for `tools` of `Chat`, `MessageList` and `Message`. The view gets the input with the type of the
 * schema: `partial` while it streams, checked when it is complete. An input that does not fit the schema, and a
 * view that throws, are shown as a `ToolCall`.
 *
 * @param schema any Standard Schema, version 1, such as one of Zod, Valibot or ArkType
 * @example
 * ```tsx
 * import { Chat, tool, type ToolViewProps } from 'capstan/components'
 * import { z } from 'zod'
 *
 * const place = z.object({ place: z.string() })
 * const Weather = ({ state, input, partial }: ToolViewProps<z.infer<typeof place>>) => (
 *   <p>Weather in {(input ?? partial)?.place}: {state}</p>
 * )
 * const tools = { weather: tool(place, Weather) }
 * export const Desk = () => <Chat tools={tools} />
 * ```
 */
export function tool<Input>(schema: StandardSchema<Input>, View: ComponentType<ToolViewProps<Input>>): ToolRenderer {
  return { render: (call) => <ToolPart call={call} schema={schema} View={View} /> }
}

interface ToolPartProps<Input> {
  readonly call: ShownToolCall
  readonly schema: StandardSchema<Input>
  readonly View: ComponentType<ToolViewProps<Input>>
}

function ToolPart<Input>({ call, schema, View }: ToolPartProps<Input>): ReactNode {
  const { part, messageId, live, fallback } = call
  const { id, name, status, input, partialInput, output } = part
  const [reader] = useState(createPartialJson)
  const checked = useCheckedInput(schema, input, status !== 'preparing')
  // Ids of calls are unique in their message only.
  const promptId = useChatStatus(
    ({ messages }) =>
      messageById(messages, messageId)?.parts.findLast(
        (other) => other.type === 'prompt' && other.prompt.subject?.toolCallId === id,
      )?.id,
  )
  const approval = usePrompt(promptId ?? '')
  const base = { name, toolCallId: id, output, live, approval }
  let view: ReactNode
  if (status === 'preparing') {
    // Both are JSON of the agent. The type says that any of it may be missing; that it is of the right kind is checked when it is complete.
    const partial = (input ?? reader.read(partialInput ?? '')) as PartialInput<Input> | undefined
    view = <View {...base} state="preparing" partial={partial} />
  } else if (checked === undefined || checked.issues) return fallback
  else view = <View {...base} state={status} input={checked.value} />
  return (
    <ErrorBoundary resetKeys={[status, live]} fallback={fallback}>
      {view}
    </ErrorBoundary>
  )
}

const INVALID: StandardResult<never> = { issues: [{ message: 'The schema threw.' }] }

/**
 * What a schema says of an input. Undefined: it is still checking, or there is nothing to check.
 *
 * @param isComplete whether there is an input to check
 */
function useCheckedInput<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
  isComplete: boolean,
): StandardResult<Input> | undefined {
  const said = useMemo(() => (isComplete ? check(schema, input) : undefined), [schema, input, isComplete])
  const [later, setLater] = useState<{ readonly of: unknown; readonly result: StandardResult<Input> }>()
  useEffect(() => {
    if (!(said instanceof Promise)) return
    let isCurrent = true
    const settle = (result: StandardResult<Input>): void => {
      if (isCurrent) setLater({ of: said, result })
    }
    said.then(settle, () => settle(INVALID))
    return () => {
      isCurrent = false
    }
  }, [said])
  if (!(said instanceof Promise)) return said
  return later?.of === said ? later.result : undefined
}

function check<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
): StandardResult<Input> | Promise<StandardResult<Input>> {
  try {
    return schema['~standard'].validate(input)
  } catch {
    return INVALID
  }
}

/** The value of an incomplete JSON text. */
interface PartialJsonReader {
  /**
   * The value of a beginning of the text: what the whole text would be, less what has not come. Strings end where the text ends;
   * numbers, names and keys are left out until they are complete. What is complete is the same object from call to call, and so is
   * all of the value as long as nothing was added. Undefined: there is nothing to show yet.
   *
   * @param text all that has come. When it does not continue the text of the call before, reading starts over.
   */
  read(text: string): unknown
}

interface Frame {
  /** Complete members only. */
  readonly members: unknown[] | Record<string, unknown>
  /** The key whose value is being read. */
  key: string | undefined
  /** What was shown for this frame, and with which open member. */
  shown: unknown
  shownInner: unknown
  hasChanged: boolean
}

type Expected =
  | 'value'
  | 'first-item'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'next'
  | 'string'
  | 'key-string'
  | 'word'
  | 'end'

/** Deeper text is not read further; neither are the views that would render it made for it. */
const MAX_DEPTH = 500

const NOTHING = Symbol('nothing')

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const NAMES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const SPACE = new Set([' ', '\n', '\r', '\t'])

/**
 * Incremental JSON parser. Each character is read once, however often the text grows; an object or array that is still open is copied when
 * it is shown. Text that is not JSON is read up to its fault.
 */
export function createPartialJson(): PartialJsonReader {
  let seen = ''
  let at = 0
  let expected: Expected = 'value'
  let frames: Frame[] = []
  /** The whole value, once it is complete. */
  let root: unknown = NOTHING
  /** The string or word that is being read. */
  let lexeme = ''
  let isBroken = false

  function start(): void {
    seen = lexeme = ''
    at = 0
    expected = 'value'
    frames = []
    root = NOTHING
    isBroken = false
  }

  function fail(): void {
    isBroken = true
  }

  /** Adds a complete value to what is open. */
  function add(value: unknown): void {
    const frame = frames.at(-1)
    if (frame === undefined) {
      root = value
      expected = 'end'
      return
    }
    put(frame, value)
    frame.hasChanged = true
    frame.key = undefined
    expected = 'next'
  }

  function open(members: Frame['members']): void {
    if (frames.length === MAX_DEPTH) return fail()
    frames.push({ members, key: undefined, shown: NOTHING, shownInner: NOTHING, hasChanged: false })
    expected = Array.isArray(members) ? 'first-item' : 'first-key'
  }

  function close(isArray: boolean): void {
    const frame = frames.at(-1)
    if (frame === undefined || Array.isArray(frame.members) !== isArray) return fail()
    frames.pop()
    add(frame.members)
  }

  function beginValue(character: string): void {
    lexeme = ''
    if (character === '{') open({})
    else if (character === '[') open([])
    else if (character === '"') expected = 'string'
    else if (/[-\da-z]/.test(character)) {
      lexeme = character
      expected = 'word'
    } else fail()
  }

  function endWord(): void {
    if (NUMBER.test(lexeme)) add(Number(lexeme))
    else if (NAMES.has(lexeme)) add(NAMES.get(lexeme))
    else fail()
  }

  /** Reads on inside a string; false when it needs more text. */
  function readString(text: string): boolean {
    const begun = at
    while (at < text.length) {
      const character = text.charAt(at)
      if (character === '"' || character === '\\' || character < ' ') break
      at += 1
    }
    lexeme += text.slice(begun, at)
    if (at === text.length) return false
    const character = text.charAt(at)
    if (character === '"') {
      at += 1
      endString()
      return true
    }
    if (character !== '\\') {
      fail()
      return false
    }
    return readEscape(text)
  }

  function readEscape(text: string): boolean {
    const letter = text.charAt(at + 1)
    const length = letter === 'u' ? 6 : 2
    if (letter === '' || at + length > text.length) return false
    const code = text.slice(at + 2, at + 6)
    const character =
      letter === 'u'
        ? /^[\da-fA-F]{4}$/.test(code)
          ? String.fromCharCode(Number.parseInt(code, 16))
          : undefined
        : ESCAPES.get(letter)
    if (character === undefined) {
      fail()
      return false
    }
    lexeme += character
    at += length
    return true
  }

  function endString(): void {
    const frame = frames.at(-1)
    if (expected === 'string') return add(lexeme)
    if (frame !== undefined) frame.key = lexeme
    expected = 'colon'
  }

  /** Reads one character outside of strings; false when it has to be looked at again. */
  function step(character: string): boolean {
    if (expected === 'word') {
      if (/[-+.\w]/.test(character)) {
        lexeme += character
        return true
      }
      endWord()
      return false
    }
    if (SPACE.has(character)) return true
    switch (expected) {
      case 'first-item':
      case 'value':
        if (character === ']' && expected === 'first-item') close(true)
        else beginValue(character)
        return true
      case 'first-key':
      case 'key':
        lexeme = ''
        if (character === '"') expected = 'key-string'
        else if (character === '}' && expected === 'first-key') close(false)
        else fail()
        return true
      case 'colon':
        if (character === ':') expected = 'value'
        else fail()
        return true
      case 'next':
        if (character === ',') expected = Array.isArray(frames.at(-1)?.members) ? 'value' : 'key'
        else if (character === ']' || character === '}') close(character === ']')
        else fail()
        return true
      default:
        fail()
        return true
    }
  }

  function feed(text: string): void {
    while (at < text.length && !isBroken) {
      if (expected === 'string' || expected === 'key-string') {
        if (!readString(text)) return
      } else if (step(text.charAt(at))) at += 1
    }
  }

  /** The value with what is open, from the inside out. */
  function show(): unknown {
    if (root !== NOTHING) return root
    let inner: unknown = expected === 'string' ? shownString(lexeme) : NOTHING
    for (const frame of frames.toReversed()) {
      if (frame.shown === NOTHING || frame.hasChanged || !Object.is(frame.shownInner, inner)) {
        const { members } = frame
        const copy = Array.isArray(members) ? [...members] : { ...members }
        if (inner !== NOTHING) put({ ...frame, members: copy }, inner)
        frame.shown = copy
        frame.shownInner = inner
        frame.hasChanged = false
      }
      inner = frame.shown
    }
    return inner === NOTHING ? undefined : inner
  }

  return {
    read(text) {
      if (!text.startsWith(seen)) start()
      seen = text
      feed(text)
      return show()
    },
  }
}

function put({ members, key }: Pick<Frame, 'members' | 'key'>, value: unknown): void {
  if (Array.isArray(members)) members.push(value)
  else if (key === '__proto__') {
    // Assigning it would change the prototype, not add a member.
    Object.defineProperty(members, key, { value, configurable: true, enumerable: true, writable: true })
  } else if (key !== undefined) members[key] = value
}

/** A string as far as it has come, without half of a character. */
function shownString(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
