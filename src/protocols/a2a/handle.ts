import { isJsonObject } from '../../base/json-object.ts'

/** What the adapter remembers of a run: plain data, stored with it. No credentials. */
export interface A2AHandle {
  readonly taskId?: string | undefined
  readonly contextId?: string | undefined
  /** The question that the task showed last. While it shows the same one after an answer, that is an old snapshot. */
  readonly asked?: string | undefined
  /** The prompt to sign in that is open. */
  readonly signIn?: string | undefined
  /** How much the task held: a snapshot with more is new content. */
  readonly size?: number | undefined
  /** A fingerprint of what each artifact held when the run ended with a question: those that stay so belong to that answer. */
  readonly shown?: Readonly<Record<string, number>> | undefined
}

/** The handle as it was stored; of anything else, an empty one. */
export function readHandle(handle: unknown): A2AHandle {
  if (!isJsonObject(handle)) return {}
  const { taskId, contextId, asked, signIn, size, shown } = handle
  return {
    taskId: textOf(taskId),
    contextId: textOf(contextId),
    asked: textOf(asked),
    signIn: textOf(signIn),
    size: typeof size === 'number' ? size : undefined,
    shown: isJsonObject(shown)
      ? Object.fromEntries(
          Object.entries(shown).flatMap(([id, held]) => (typeof held === 'number' ? [[id, held]] : [])),
        )
      : undefined,
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
