import { isJsonObject } from '../../base/json-object.ts'
import type { Command } from '../../seam/command.ts'

/** The commands that CAP has endpoints for. */
export const CONTROL_NAMES = ['cancel', 'answer', 'say'] as const

/** The name of such a command. */
export type ControlName = (typeof CONTROL_NAMES)[number]

/** What the adapter remembers of a run: plain data. */
export interface CapHandle {
  /** The last `id:` the server sent. */
  readonly lastEventId?: string | undefined
  /** The commands that the server has announced. */
  readonly control?: readonly string[] | undefined
  /** The shared state of the run, as folded. */
  readonly shared?: unknown
}

/** The handle as it was stored; of anything else, an empty one. */
export function readHandle(handle: unknown): CapHandle {
  if (!isJsonObject(handle)) return {}
  const { lastEventId, control, shared } = handle
  return {
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    shared,
    control: Array.isArray(control) ? control.filter((name) => typeof name === 'string') : undefined,
  }
}

/** The commands a server announces with its answer; undefined when it announces none. */
export function announcedControl(headers: Headers): readonly string[] | undefined {
  const names = headers
    .get('cap-control')
    ?.split(',')
    .map((name) => name.trim().toLowerCase())
  return names?.filter((name) => name !== '')
}

/** Undefined for a command that CAP has no endpoint for. */
export function controlName({ type }: Command): ControlName | undefined {
  return type === 'cancel' || type === 'answer' || type === 'say' ? type : undefined
}
