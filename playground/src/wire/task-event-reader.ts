import type { MarkKind } from './wire-snapshot.ts'

/** An event of A2A in one row of the log. */
export interface ReadTaskEvent {
  /** What it is: `task`, `status`, `artifact`, `message`, `error`, or `?`. */
  readonly op: string
  readonly brief: string
  readonly mark: { readonly kind: MarkKind; readonly label?: string }
}

/** Reads the events of one task over all its connections. */
export interface TaskEventReader {
  read(data: string): ReadTaskEvent
  /** The task rests: it has ended, or asks. */
  readonly settled: boolean
}

const BRIEF_LENGTH = 120
const RESTS = /_(?:COMPLETED|CANCELED|FAILED|REJECTED|INPUT_REQUIRED)$/

export function createTaskEventReader(): TaskEventReader {
  let settled = false

  function status(state: string, op: string): ReadTaskEvent {
    const word = state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', ' ')
    settled = RESTS.test(state)
    return { op, brief: word, mark: settled ? { kind: 'close', label: word } : { kind: 'event' } }
  }

  return {
    read(data) {
      const envelope = parse(data)
      const error = memberOf(envelope, 'error')
      if (error !== undefined) {
        const label = String(memberOf(error, 'code'))
        return {
          op: 'error',
          brief: brief(`${label} ${String(memberOf(error, 'message'))}`),
          mark: { kind: 'error', label },
        }
      }
      const result = memberOf(envelope, 'result')
      const task = memberOf(result, 'task')
      if (task !== undefined) return status(String(memberOf(memberOf(task, 'status'), 'state')), 'task')
      const update = memberOf(result, 'statusUpdate')
      if (update !== undefined) return status(String(memberOf(memberOf(update, 'status'), 'state')), 'status')
      const artifact = memberOf(memberOf(result, 'artifactUpdate'), 'artifact')
      if (artifact !== undefined) {
        const parts = memberOf(artifact, 'parts')
        const texts = Array.isArray(parts)
          ? parts.map((part: unknown) => memberOf(part, 'text') ?? memberOf(part, 'filename'))
          : []
        return { op: 'artifact', brief: brief(JSON.stringify(texts.join(''))), mark: { kind: 'delta' } }
      }
      if (memberOf(result, 'message') !== undefined) {
        settled = true
        return { op: 'message', brief: '', mark: { kind: 'close' } }
      }
      return { op: '?', brief: brief(data), mark: { kind: 'other' } }
    },
    get settled() {
      return settled
    },
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function brief(text: string): string {
  return text.length > BRIEF_LENGTH ? `${text.slice(0, BRIEF_LENGTH)}…` : text
}
