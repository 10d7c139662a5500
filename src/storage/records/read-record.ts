import { isJson, isRecord, isString, readFields } from '../../base/guards.ts'
import { MESSAGE_FIELDS, STATE_FIELDS, THREAD_FIELDS, isQueued, isRevision, isTerm } from './stored-fields.ts'
import type { StoredError, StoredMessage } from './stored-message.ts'
import type { StoredState, Version } from './stored-state.ts'
import type { DamagedRecord, StoredThread, ThreadRecord } from './thread-disk.ts'
import type { ChatStatus, ChatState } from '../../state/chat-snapshot.ts'
import type { ChatMessage } from '../../state/turn.ts'
import type { ThreadStatus } from '../../state/thread.ts'

/** Called with a record that is not what it must be. */
export type ReportDamage = (damaged: DamagedRecord) => void

const LOST: StoredError = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The copy of the run on this device is damaged, so the answer is incomplete. Ask again for a new one.',
}

/**
 * Validates the record of a conversation: every value of the result has its declared type. Pure, except that it reports
 * damage.
 */
export function readRecord(threadId: string, value: unknown, report: ReportDamage): ThreadRecord {
  const raw = isRecord(value) ? value : {}
  const stored =
    raw.messages instanceof Map ? readMessages(threadId, raw.messages, report) : new Map<string, StoredMessage>()
  const { state, messages } = readState(threadId, raw.state, stored, report)
  return {
    thread: readThread(threadId, raw.thread, { state, messages }, report),
    state,
    messages,
    draft: readDraft(threadId, raw.draft, report),
  }
}

function readMessages(
  threadId: string,
  stored: ReadonlyMap<unknown, unknown>,
  report: ReportDamage,
): Map<string, StoredMessage> {
  const messages = new Map<string, StoredMessage>()
  for (const [key, record] of stored) {
    const { found, damaged } = readFields(MESSAGE_FIELDS, record)
    const problems = [...damaged, ...(found.id === key ? [] : ['id']), ...(isJson(record) ? [] : ['JSON'])]
    // Without damage every field was found, those of newer versions stay.
    if (problems.length === 0) messages.set(found.id ?? '', record as StoredMessage)
    else report({ kind: 'message', threadId, messageId: String(key), problem: listed(problems), record })
  }
  return messages
}

/**
 * The state, made consistent with its messages. A damaged state loses only its damaged fields: the order is restored
 * from the start times of the messages. A run with missing messages has ended, because its cursors would claim more
 * text than is shown.
 */
function readState(
  threadId: string,
  record: unknown,
  messages: Map<string, StoredMessage>,
  report: ReportDamage,
): { readonly state: StoredState | undefined; readonly messages: ReadonlyMap<string, StoredMessage> } {
  if (record === undefined && messages.size === 0) return { state: undefined, messages }
  const { found, damaged } = readFields(STATE_FIELDS, record)
  const problems = [...damaged]
  const named = damaged.length > 0 && found.order?.length === 0 ? undefined : found.order
  const order = [...new Set(named ?? chronological(messages))].filter((id) => messages.has(id))
  if (found.order !== undefined && order.length !== found.order.length) problems.push('order')
  if (!isJson(found.queued)) problems.push('queued')
  if (!isJson(found.stateEdit)) problems.push('stateEdit')
  const run =
    problems.length === 0 && found.run !== undefined && agrees(found.run, order, messages) ? found.run : undefined
  if (run !== found.run) problems.push('run')
  const isLive = (message: StoredMessage): boolean => run?.ended === false && message.requestId === run.turn.requestId
  const settled = new Map([...messages].map(([id, message]) => [id, isLive(message) ? message : endedOf(message)]))
  // Without problems every field was found, those of newer versions stay.
  if (problems.length === 0) return { state: record as StoredState, messages: settled }
  report({ kind: 'state', threadId, problem: listed(problems), record })
  const isCut = order.some((id) => settled.get(id)?.error === LOST)
  const stateEdit = isJson(found.stateEdit) ? found.stateEdit : undefined
  const { queued = rescued(record), error = isCut ? LOST : undefined, revision = 1 } = found
  return {
    state: { ...found, order, queued: queued.filter(isJson), error, run, revision, stateEdit },
    messages: settled,
  }
}

/** The message as ended, because its run is not restored. */
function endedOf(message: StoredMessage): StoredMessage {
  if (message.status === 'sending') return { ...message, status: 'not-sent', error: LOST }
  return message.status === 'pending' || message.status === 'streaming'
    ? { ...message, status: 'incomplete', error: LOST }
    : message
}

/** Whether a run can continue under these messages: its answers are there, behind a question. */
function agrees(
  { turn }: NonNullable<StoredState['run']>,
  order: readonly string[],
  messages: ReadonlyMap<string, StoredMessage>,
): boolean {
  const isOwn = (id: string): boolean =>
    order.includes(id) && messages.get(id)?.requestId === turn.requestId && messages.get(id)?.role === 'assistant'
  return (
    [turn.answerId, ...turn.streams.values()].every(isOwn) &&
    order.slice(0, order.indexOf(turn.answerId)).some((id) => messages.get(id)?.role === 'user')
  )
}

/** Questions are before answers that were begun in the same millisecond. */
function chronological(messages: ReadonlyMap<string, StoredMessage>): readonly string[] {
  const rank = ({ role }: StoredMessage): number => (role === 'assistant' ? 1 : 0)
  return [...messages]
    .toSorted(([, left], [, right]) => (left.createdAt ?? 0) - (right.createdAt ?? 0) || rank(left) - rank(right))
    .map(([id]) => id)
}

function rescued(record: unknown): StoredState['queued'] {
  const queued = isRecord(record) ? record.queued : undefined
  return Array.isArray(queued) ? queued.filter(isQueued) : []
}

/** The entry of the list: what is damaged in it is made again from state and messages, and without those there is none. */
export function readThread(
  id: string,
  record: unknown,
  { state, messages }: Pick<ThreadRecord, 'state' | 'messages'>,
  report: ReportDamage,
): StoredThread | undefined {
  if (record === undefined) return undefined
  const { found, damaged } = readFields(THREAD_FIELDS, record)
  const problems = found.id === id ? damaged : [...damaged, 'id']
  if (problems.length === 0) return record as StoredThread
  report({ kind: 'thread', threadId: id, problem: listed(problems), record })
  const inOrder = (state?.order ?? []).flatMap((messageId) => messages.get(messageId) ?? [])
  if (state === undefined || (inOrder.length === 0 && state.queued.length === 0)) return undefined
  const {
    title,
    named = false,
    status = state.run?.ended === false ? 'running' : 'idle',
    unread = false,
    createdAt = inOrder[0]?.createdAt ?? state.revision,
    updatedAt = inOrder.at(-1)?.createdAt ?? state.revision,
  } = found
  return {
    id,
    title: title ?? threadTitle(inOrder),
    named: named && title !== undefined,
    status,
    unread,
    createdAt,
    updatedAt,
  }
}

function readDraft(threadId: string, record: unknown, report: ReportDamage): string {
  if (isString(record)) return record
  if (record !== undefined) report({ kind: 'draft', threadId, problem: 'not a text', record })
  return ''
}

function listed(problems: readonly string[]): string {
  return [...new Set(problems)].join(', ')
}

/** Version of the state on the disk. A damaged state counts as the oldest. */
export function versionOf(record: unknown): Version {
  const { term, revision } = isRecord(record) ? record : {}
  return { term: isTerm(term) ? term : 0, revision: isRevision(revision) ? revision : 0 }
}

/** UTF-16 code units of a first message that make a title. */
const TITLE_LENGTH = 80

const LIVE: ReadonlySet<ChatMessage['status']> = new Set(['sending', 'pending', 'streaming'])

/** Whether the conversation waits for the agent or for the user. */
export function isUnfinished(status: ThreadStatus | undefined): boolean {
  return status === 'running' || status === 'awaiting-input'
}

function unfinishedStatus(status: ChatStatus): ThreadStatus | undefined {
  if (status === 'awaiting-input') return status
  return status === 'submitted' || status === 'streaming' ? 'running' : undefined
}

/** Whether the run of a request still says something. */
export function isRunLive(messages: readonly ChatMessage[], requestId: string): boolean {
  return messages.some((message) => message.requestId === requestId && LIVE.has(message.status))
}

/** The words a thread began with, on one line. */
function threadTitle(messages: readonly Pick<StoredMessage, 'role' | 'parts'>[]): string {
  const first = messages.find(({ role }) => role === 'user')
  const said = first?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
  const text = said.replaceAll(/\s+/g, ' ').trim()
  // Whole characters only: none is cut in two.
  return text.length > TITLE_LENGTH
    ? `${text
        .slice(0, TITLE_LENGTH)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text
}

interface ThreadOfOptions {
  readonly id: string
  readonly before: StoredThread | undefined
  readonly state: ChatState
  readonly status: ChatStatus
  /** Whether the page is visible. */
  readonly isVisible: boolean
  readonly now: number
}

/** What a list says of a chat. Pure; equal for every word of a streaming answer. */
export function threadOf({ id, before, state, status, isVisible, now }: ThreadOfOptions): StoredThread {
  const { messages } = state
  const last = messages.at(-1)
  const isBroken =
    status === 'error' ||
    messages.some((message) => message.status === 'not-sent') ||
    last?.status === 'failed' ||
    last?.status === 'incomplete'
  const current = unfinishedStatus(status) ?? (isBroken ? 'failed' : 'idle')
  const hasEnded = isUnfinished(before?.status) && !isUnfinished(current)
  return {
    id,
    title: before?.named ? before.title : threadTitle(messages),
    named: before?.named ?? false,
    status: current,
    unread: hasEnded ? !isVisible : (before?.unread ?? false),
    createdAt: before?.createdAt ?? messages[0]?.createdAt ?? now,
    updatedAt: last?.endedAt ?? last?.createdAt ?? before?.updatedAt ?? now,
  }
}

/** The first words of a stored thread. */
export function titleOfRecord({ state, messages }: ThreadRecord): string {
  return threadTitle((state?.order ?? []).flatMap((id) => messages.get(id) ?? []))
}
