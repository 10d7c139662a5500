import type { AgentErrorInit } from '../base/agent-error.ts'
import type { AgentEvent } from '../seam/agent-event.ts'
import type { ResumePoint } from './resume-point.ts'

/**
 * How large one answer may become. When an answer goes beyond one of the limits, its run fails with code
 * `response_too_large`, severity FATAL, and its connection is closed; earlier parts stay. Packets that a server repeats after
 * a reconnect is not counted again, and an answer that the agent begins again is counted again. `Infinity` lifts a limit.
 */
export interface AnswerLimits {
  /**
   * Streams of one run, each its own message.
   * @default 1_000
   */
  readonly streams?: number | undefined
  /**
   * Parts beside the text, over all streams: events with their own ids, and gaps. Replacing a part adds none.
   * @default 100_000
   */
  readonly parts?: number | undefined
  /**
   * Errors of severity WARNING.
   * @default 10_000
   */
  readonly warnings?: number | undefined
  /**
   * Bytes of all packets, as UTF-8.
   * @default 50_000_000
   */
  readonly bytes?: number | undefined
}

const DEFAULT_LIMITS = { streams: 1_000, parts: 100_000, warnings: 10_000, bytes: 50_000_000 } as const

/** Counts what is new in an answer. */
export interface AnswerCount {
  /** Counts what the event or the events of one packet add. Gives the error that ends the run when that is too much. */
  add(events: AgentEvent | readonly AgentEvent[], bytes: number): AgentErrorInit | undefined
}

/** @param resumePoint the counts so far, written to; its streams are counted by their own list */
export function createAnswerCount(resumePoint: ResumePoint, limits: AnswerLimits = {}): AnswerCount {
  /** By stream and type, so that no text is made and kept for every part. */
  const parts = new Map<string, Map<string, Set<string>>>()

  const most = {
    streams: limits.streams ?? DEFAULT_LIMITS.streams,
    parts: limits.parts ?? DEFAULT_LIMITS.parts,
    warnings: limits.warnings ?? DEFAULT_LIMITS.warnings,
    bytes: limits.bytes ?? DEFAULT_LIMITS.bytes,
  }

  function grow(name: 'parts' | 'warnings'): void {
    resumePoint[name] = (resumePoint[name] ?? 0) + 1
  }

  function addPart(streamId: string, type: string, id: string): void {
    const types = parts.get(streamId) ?? new Map<string, Set<string>>()
    const ids = types.get(type) ?? new Set<string>()
    if (types.size === 0) parts.set(streamId, types)
    if (ids.size === 0) types.set(type, ids)
    const before = ids.size
    if (ids.add(id).size > before) grow('parts')
  }

  function count(event: AgentEvent): void {
    if (event.type === 'warning') grow('warnings')
    else if (event.type === 'part') addPart(event.streamId, event.part.type, event.partId)
    else if (event.type === 'prompt') addPart('', '', event.prompt.id)
    else if (event.type === 'snapshot')
      for (const { partId, part } of event.parts) addPart(event.streamId, part.type, partId)
    else if (event.type === 'text' && event.partId !== undefined) addPart(event.streamId, 'text', event.partId)
    else if (event.type === 'diagnostic' && event.diagnostic.kind === 'gap') grow('parts')
    else if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') {
      parts.clear()
      resumePoint.parts = resumePoint.warnings = resumePoint.bytes = 0
    }
  }

  return {
    add(events, bytes) {
      if ('type' in events) count(events)
      else for (const event of events) count(event)
      resumePoint.bytes = (resumePoint.bytes ?? 0) + bytes
      // Asked for every packet, so it looks nothing up by name.
      if (resumePoint.streams.size > most.streams) return tooLarge('streams', most.streams)
      if ((resumePoint.parts ?? 0) > most.parts) return tooLarge('parts', most.parts)
      if ((resumePoint.warnings ?? 0) > most.warnings) return tooLarge('warnings', most.warnings)
      if (resumePoint.bytes > most.bytes) return tooLarge('bytes', most.bytes)
      return undefined
    },
  }
}

function tooLarge(limit: keyof AnswerLimits, maximum: number): AgentErrorInit {
  return {
    kind: 'protocol',
    code: 'response_too_large',
    severity: 'FATAL',
    message: `The answer has more than ${maximum} ${limit}. Raise limits.${limit} of the client if such answers are expected.`,
    details: { limit, maximum },
  }
}
