import type { ToolFailure } from '../base/text/tool-failures.ts'
import { number, percent, plural, seconds, size, time } from './english-measures.ts'
import { agentErrorMessages, errorMessages } from './error-messages.ts'

/** The language of a dictionary, as `Chat` says it on its root. */
export interface Language {
  /** A BCP 47 tag, such as `de`. */
  readonly lang?: string | undefined
  /** Which way its script runs. */
  readonly dir?: 'ltr' | 'rtl' | undefined
}

/** A count of things by the name of one. */
const counted = (count: number, one: string): string => plural(count, { one: `# ${one}`, other: `# ${one}s` })

/** Default: the language and direction of the page are not changed. */
const PAGE_LANGUAGE: Language = {}

/**
 * Every string the components show or speak, in English. Override any of them through
 * `DictionaryProvider` or the `strings` prop of `Chat`.
 */
export const defaultStrings = {
  language: PAGE_LANGUAGE,
  chat: {
    label: 'Chat',
    transcript: 'Messages',
    conversation: 'Conversation',
    emptyTitle: 'What can I help with?',
    suggestions: 'Suggestions',
    jump: 'Jump to latest',
    jumpNew: 'Jump to latest (new messages)',
    loading: 'Loading the conversation',
  },
  message: {
    you: 'You',
    assistant: 'Assistant',
    system: 'System',
    actions: 'Message actions',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Couldn’t copy',
    regenerate: 'Regenerate',
    sending: 'Sending',
    notSent: 'Not sent',
    mayHaveArrived: 'May have arrived',
    retry: 'Retry',
    sendAgain: 'Send again',
    edit: 'Edit',
    discard: 'Discard',
    waiting: 'Waiting for a response',
    received: 'Received',
    unconfirmed: 'Not confirmed. The assistant may not have received this.',
  },
  feedback: { label: 'Rate this response', up: 'Good response', down: 'Bad response' },
  ending: {
    incomplete: 'Incomplete',
    incompleteText: 'The connection was lost.',
    continue: 'Continue',
    restarted: 'Restarted',
    restartedText: 'The server restarted, so the response started over.',
    stopped: 'You stopped this response',
    cancelling: 'Stopping…',
    cancelled: 'Stopped',
    left: 'Stopped here. The assistant may still be working.',
    failed: 'The response was interrupted',
    failedEmpty: 'No response',
    tryAgain: 'Try again',
  },
  reconnection: {
    reconnecting: 'Reconnecting',
    reconnectingIn: (ms: number) => `Reconnecting in ${time(ms)}`,
    reconnectingNow: 'Reconnecting…',
    connecting: 'No connection yet',
    connectingIn: (ms: number) => `No connection yet, trying again in ${time(ms)}`,
    connectingNow: 'Trying to connect…',
    attempt: (attempt: number, of: number) => `attempt ${attempt} of ${of}`,
    retryNow: 'Retry now',
    tooSoon: 'Too many attempts. Waiting a moment.',
    queued: 'Waiting: other tabs are using all available connections.',
    paused: 'Paused',
    resume: 'Resume',
    offline: 'You’re offline. The response will continue when you reconnect.',
  },
  connection: {
    ready: 'Ready',
    connecting: 'Connecting',
    queued: 'Queued',
    live: 'Connected',
    silent: 'Waiting for the assistant',
    awaitingInput: 'Waiting for you',
    reconnecting: (attempt: number, of: number) => `Reconnecting, ${attempt} of ${of}`,
    retrying: (attempt: number, of: number) => `Trying to connect, ${attempt} of ${of}`,
    offline: 'Offline',
    back: 'Back online',
    paused: 'Paused',
    gaveUp: 'Disconnected',
    failed: 'Failed',
  },
  health: {
    ok: 'Operational',
    degraded: 'Degraded',
    maintenance: 'Maintenance',
    unknown: 'Unknown',
    stale: 'Last checked',
  },
  announce: {
    generating: 'Generating a response',
    approval: 'Your approval is needed',
    asked: 'The assistant has a question',
    restarted: 'The response started over',
    complete: 'Response complete',
    stopped: 'Response stopped',
    left: 'Response stopped here. The assistant may still be working.',
    incomplete: 'Response incomplete',
    failed: 'The response was interrupted',
    noResponse: 'No response',
    notSent: 'Your message wasn’t sent',
    mayHaveArrived: 'Your message may have arrived',
    reconnecting: 'Connection lost, reconnecting',
    connecting: 'No connection to the assistant yet, trying again',
    connected: 'Connected, waiting for a response',
    offline: 'You’re offline',
    queued: 'Waiting for an available connection',
    paused: 'Paused',
    back: 'Reconnected. The response continues.',
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask anything…',
    reply: 'Reply…',
    send: 'Send',
    answer: 'Type your reply…',
    answerLabel: 'Your reply to the question',
    sendAnswer: 'Send reply',
    stop: 'Stop',
    sendNext: 'Send when this response finishes',
    say: 'Add to this response',
    notSaid: 'Couldn’t be added to this response. It will be sent when the response finishes.',
    offline: 'You’re offline. Messages will be sent when you reconnect.',
    queue: 'Queued messages',
    queued: 'Queued',
    sendNow: 'Send now',
    awaiting: 'Waiting for your reply above',
    cancelAndSend: 'Cancel the question and send',
    questionNotShown: 'A question couldn’t be shown.',
    take: (message: string) => `Edit ${message}`,
    editLabel: 'Edit message',
    cancel: 'Cancel',
    attach: 'Attach files',
    attachments: 'Attached files',
    dropHere: 'Drop files to attach',
    tooLarge: (limit: string) => `larger than ${limit}`,
    wrongType: 'file type not supported',
    attachFailed: 'upload failed',
    attachFirst: 'Wait for uploads to finish, or remove the failed files.',
    remove: (name: string) => `Remove ${name}`,
    retry: (name: string) => `Try ${name} again`,
    fileUploading: (name: string) => `Attaching ${name}`,
    fileReady: (name: string) => `${name} attached`,
    fileFailed: (name: string, reason: string) => `Couldn’t attach ${name}: ${reason}`,
    fileRemoved: (name: string) => `${name} removed`,
    keyEnter: 'Enter',
    keyShift: 'Shift',
    keyEscape: 'Esc',
    hintSends: 'to send',
    hintNewLine: 'for a new line',
    hintStops: 'to stop',
  },
  thought: {
    live: 'Thinking',
    done: 'Thought process',
    doneFor: (ms: number) => `Thought for ${time(ms)}`,
    elapsed: seconds,
    failed: 'Thinking was interrupted',
    body: 'Thought process',
    redacted: 'Reasoning is hidden',
  },
  progress: {
    label: 'Progress',
    pending: 'Waiting',
    running: 'Running',
    complete: 'Done',
    failed: 'Failed',
    waiting: 'Waiting for you',
    cancelled: 'Cancelled',
    rejected: 'Declined by the assistant',
    unknown: 'Unknown',
    unfinished: 'Not finished',
    task: 'Task',
    share: percent,
    earlier: (count: number, failed: number) =>
      `${counted(count, 'earlier step')}${failed > 0 ? `, ${number(failed)} failed` : ''}`,
  },
  citations: {
    label: 'Sources',
    source: (figure: number, title: string) => `Source ${figure}: ${title}`,
    back: (figure: number) => `Back to citation ${figure} in text`,
    show: 'Show in sources',
    open: 'Open source',
    all: (count: number) => `Show all ${number(count)}`,
    close: 'Close',
    confidence: (share: number) => `${percent(share)} confidence`,
    share: (share: number) => `${percent(share)} confidence`,
    newTab: 'opens in a new tab',
    unsafe: 'link disabled: not a web address',
  },
  media: {
    label: 'Media',
    count: (count: number) => counted(count, 'item'),
    images: (count: number) => counted(count, 'image'),
    asks: (type: string) => `${type}, not loaded yet`,
    load: { image: 'Load image', audio: 'Load audio', video: 'Load video' },
    open: 'Open',
    failed: 'Couldn’t load',
    retry: 'Retry',
    unsafe: 'This link can’t be opened',
    carousel: 'carousel',
    row: 'Media row',
    previous: 'Previous',
    next: 'Next',
    image: (figure: number) => `Image ${figure}`,
  },
  markdown: {
    table: 'Table',
    code: 'Code',
    taskOpen: 'To do',
    taskDone: 'Done',
    footnotes: 'Footnotes',
    footnote: (figure: number) => `Footnote ${figure}`,
    backToText: 'Back to the text',
    imageFrom: (host: string) => `Image at ${host}`,
  },
  data: {
    label: 'Data',
    more: (count: number) => `${number(count)} more not shown`,
    showMore: 'Show more',
    moreCharacters: (count: number) => counted(count, 'more character'),
    empty: 'No data',
  },
  artifact: {
    untitled: 'Untitled file',
    open: 'Open',
    writing: 'Writing',
    failed: 'Failed',
    version: (version: number) => `Version ${number(version)}`,
    download: 'Download',
    size,
  },
  tool: {
    preparing: (name: string) => `Preparing ${name}`,
    running: (name: string) => `Running ${name}`,
    waiting: (name: string) => `${name} is waiting for you`,
    complete: (name: string) => `Used ${name}`,
    failed: (name: string) => `${name} failed`,
    denied: (name: string) => `${name} wasn’t allowed`,
    unfinished: (name: string) => `${name} did not finish`,
    input: 'Input',
    output: 'Output',
    failures: {
      failed: 'The tool failed.',
      badResult: 'The tool ran, but its result couldn’t be read.',
      badCall: 'The call wasn’t valid.',
      declined: 'This was declined.',
    } satisfies Readonly<Record<ToolFailure, string>>,
  },
  notice: { tryAgain: 'Try again', details: 'Details' },
  unknown: { title: 'Unsupported content' },
  gap: {
    mark: (_count: number) => 'Part of the response is missing',
    numbers: (first: number, last: number) => (first === last ? `packet ${first}` : `packets ${first}–${last}`),
  },
  error: {
    details: 'Details',
    request: (id: string) => `request ${id}`,
    status: (status: number) => `HTTP ${status}`,
    signIn: 'Sign in',
    requestAccess: 'Request access',
    tryAgain: 'Try again',
    dismiss: 'Dismiss',
    address: 'Address',
    packet: 'Packet',
    warning: 'Warning',
    broken: 'Couldn’t display this content',
    app: 'Something went wrong',
  },
  errorMessages,
  agentErrorMessages,
}

/** The shape of {@link defaultStrings}: strings grouped by component. */
export type Dictionary = typeof defaultStrings

/** The default strings of the components, with `lang` and `dir`: for pages in another language. */
export const english: Dictionary = { ...defaultStrings, language: { lang: 'en', dir: 'ltr' } }

/** Any strings of any group; the others stay English. */
export type DictionaryOverrides = { readonly [Group in keyof Dictionary]?: Partial<Dictionary[Group]> }

/** A dictionary with some strings replaced. */
export function withStrings(base: Dictionary, overrides: DictionaryOverrides | undefined): Dictionary {
  if (!overrides) return base
  const merged: Record<string, object> = { ...base }
  for (const [group, strings] of Object.entries(overrides)) merged[group] = { ...merged[group], ...strings }
  // Each group was spread over the same group of `base`, so every string is still there.
  return merged as Dictionary
}
