import type { Lane, Lanes } from './handle.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { AgUiEvent } from './events.ts'

/** Expands chunks into start, content and end events; other events trigger the end. */
export interface ChunkLanes {
  readonly lanes: Lanes
  /**
   * Expands an event: the end events that it triggers and itself, or the events of a chunk.
   *
   * @throws ValidationError when a chunk does not say what it is part of
   */
  expand(event: AgUiEvent): readonly AgUiEvent[]
}

/** Events that end no chunk. */
const PASSES = /^(?:RAW|UNKNOWN|ACTIVITY_.*|REASONING_ENCRYPTED_VALUE)$/

export function createChunkLanes(before: Lanes): ChunkLanes {
  /** Keys are of the sender, so it is a map. */
  const open = new Map(Object.entries(before))

  function close(agent: string): AgUiEvent[] {
    const lane = open.get(agent)
    open.delete(agent)
    return lane === undefined ? [] : [endOf(lane)]
  }

  function closedBy(event: AgUiEvent): AgUiEvent[] {
    if (PASSES.test(event.type)) return []
    if (event.type.startsWith('RUN_')) return [...open.keys()].flatMap(close)
    return close(event.subagentRunId ?? '')
  }

  /** Whose chunk it is. */
  function agentOf(kind: Lane['kind'], id: string | undefined, given: string | undefined): string {
    if (given !== undefined) return given
    const agents = [...open].flatMap(([agent, lane]) =>
      lane.kind === kind && (id === undefined || lane.id === id) ? [agent] : [],
    )
    if (agents.length > 1) throw new ValidationError('a chunk does not say whose it is')
    return agents[0] ?? ''
  }

  /** @param said the chunk's members about its message or call; undefined ones are absent */
  function enter(
    kind: Lane['kind'],
    given: string | undefined,
    agent: string,
    said: Readonly<Record<string, string | undefined>>,
  ): { id: string; before: AgUiEvent[]; begins: boolean } {
    const lane = open.get(agent)
    const isSame = lane?.kind === kind && (given === undefined || lane.id === given)
    if (isSame) {
      agree(lane, said)
      return { id: lane.id, before: [], begins: false }
    }
    if (given === undefined) throw new ValidationError('the first chunk of a message or call has no id')
    if ([...open.values()].some((other) => other.kind === kind && other.id === given))
      throw new ValidationError('a chunk contradicts the one before')
    const before = close(agent)
    open.set(agent, { kind, id: given, opener: definedTexts(said) })
    return { id: given, before, begins: true }
  }

  return {
    get lanes() {
      return Object.fromEntries(open)
    },
    expand(event) {
      const { subagentRunId, metadata } = event
      const common = { ...(subagentRunId !== undefined && { subagentRunId }), ...(metadata && { metadata }) }
      switch (event.type) {
        case 'TEXT_MESSAGE_CHUNK':
        case 'REASONING_MESSAGE_CHUNK': {
          const kind = event.type === 'TEXT_MESSAGE_CHUNK' ? 'TEXT_MESSAGE' : 'REASONING_MESSAGE'
          const agent = agentOf(kind, event.messageId, subagentRunId)
          const said = event.type === 'TEXT_MESSAGE_CHUNK' ? { role: event.role, name: event.name } : {}
          const { id: messageId, before: ends, begins } = enter(kind, event.messageId, agent, said)
          return [
            ...ends,
            ...(begins ? [{ ...common, type: `${kind}_START` as const, messageId, ...said }] : []),
            { ...common, type: `${kind}_CONTENT` as const, messageId, delta: event.delta ?? '' },
          ]
        }
        case 'TOOL_CALL_CHUNK': {
          const { toolCallName, parentMessageId, delta } = event
          const agent = agentOf('TOOL_CALL', event.toolCallId, subagentRunId)
          const known = open.get(agent)
          const isKnown = known?.kind === 'TOOL_CALL' && (event.toolCallId ?? known.id) === known.id
          if (!isKnown && event.toolCallId !== undefined && toolCallName === undefined)
            throw new ValidationError('the first chunk of a call has no name')
          const said = { toolCallName, parentMessageId }
          const { id: toolCallId, before: ends, begins } = enter('TOOL_CALL', event.toolCallId, agent, said)
          const start = { ...common, type: 'TOOL_CALL_START' as const, toolCallId, parentMessageId }
          return [
            ...ends,
            ...(begins ? [{ ...start, toolCallName: toolCallName ?? '' }] : []),
            ...(delta === undefined && metadata === undefined
              ? []
              : [{ ...common, type: 'TOOL_CALL_ARGS' as const, toolCallId, delta: delta ?? '' }]),
          ]
        }
        default:
          return [...closedBy(event), event]
      }
    },
  }
}

/** @throws ValidationError when a chunk says another thing of its message or call than the first one did */
function agree({ kind, id, opener }: Lane, said: Readonly<Record<string, string | undefined>>): void {
  // Of a lane that was stored without its opener, nothing is known.
  if (opener === undefined) return
  for (const [member, value] of Object.entries(said)) {
    const known = opener[member] ?? (member === 'role' ? 'assistant' : undefined)
    if (value !== undefined && value !== known)
      throw new ValidationError(`a chunk of ${kind} ${JSON.stringify(id)} has another ${member} than its first one`)
  }
}

function definedTexts(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text] as const])),
  )
}

function endOf({ kind, id }: Lane): AgUiEvent {
  if (kind === 'TOOL_CALL') return { type: 'TOOL_CALL_END', toolCallId: id }
  return kind === 'TEXT_MESSAGE'
    ? { type: 'TEXT_MESSAGE_END', messageId: id }
    : { type: 'REASONING_MESSAGE_END', messageId: id }
}
