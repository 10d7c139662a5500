import { agentErrorMessages, errorMessages } from './error-messages.ts'
import { wholeSeconds } from './whole-seconds.ts'

/** The language of a dictionary, as `Chat` says it on its root. */
export interface Language {
  /** A BCP 47 tag, such as `de`. */
  readonly lang?: string | undefined
  /** Which way its script runs. */
  readonly dir?: 'ltr' | 'rtl' | undefined
}

/** A count with the thousands apart. */
const grouped = (count: number): string => count.toLocaleString('en')

/** A count of things by the name of one. */
const counted = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`

/** What nobody chose leaves the page's own language and direction as they are. */
const PAGE_LANGUAGE: Language = {}

/**
 * Every word the components show or speak, in English. Override any of them through
 * `DictionaryProvider` or the `words` prop of `Chat`.
 */
export const english = {
  language: PAGE_LANGUAGE,
  chat: {
    label: 'Chat',
    transcript: 'Transcript',
    conversation: 'Conversation',
    emptyTitle: 'What can I help with?',
    suggestions: 'Suggestions',
    jump: 'Jump to latest',
    jumpNew: 'Jump to latest, new content below',
    loading: 'Loading the conversation',
  },
  message: {
    you: 'You',
    assistant: 'Assistant',
    system: 'System',
    actions: 'Message actions',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Could not copy',
    regenerate: 'Regenerate',
    sending: 'Sending',
    notSent: 'Not sent',
    retry: 'Retry',
    edit: 'Edit',
    discard: 'Discard',
    waiting: 'Waiting for the answer',
  },
  ending: {
    incomplete: 'Incomplete',
    incompleteText: 'The connection ended early.',
    continue: 'Continue',
    restarted: 'Restarted',
    restartedText: 'The server began again, so this answer did too.',
    stopped: 'Stopped by you',
    failed: 'This answer broke off',
    failedEmpty: 'No answer came',
    tryAgain: 'Try again',
  },
  line: {
    reconnecting: 'Reconnecting',
    reconnectingIn: (ms: number) => `Reconnecting in ${wholeSeconds(ms)}`,
    reconnectingNow: 'Reconnecting…',
    connecting: 'No connection yet',
    connectingIn: (ms: number) => `No connection yet, trying again in ${wholeSeconds(ms)}`,
    connectingNow: 'Trying to connect…',
    attempt: (attempt: number, of: number) => `attempt ${attempt} of ${of}`,
    retryNow: 'Retry now',
    tooSoon: 'tried too often just now, so it waits',
    queued: 'Waiting for a free connection. Other tabs are using them all.',
    paused: 'Paused',
    resume: 'Resume',
    offline: 'You are offline. The answer continues when you are back.',
  },
  connection: {
    ready: 'Ready',
    connecting: 'Connecting',
    queued: 'Waiting',
    live: 'Live',
    silent: 'Waiting for the agent',
    reconnecting: (attempt: number, of: number) => `Reconnecting, ${attempt} of ${of}`,
    retrying: (attempt: number, of: number) => `Trying to connect, ${attempt} of ${of}`,
    offline: 'Offline',
    back: 'Back online',
    paused: 'Paused',
    gaveUp: 'Gave up',
    failed: 'Failed',
  },
  health: {
    ok: 'Operational',
    degraded: 'Degraded',
    maintenance: 'Maintenance',
    unknown: 'Unknown',
    stale: 'as of',
  },
  announce: {
    generating: 'Generating an answer',
    restarted: 'The answer began again',
    complete: 'Answer complete',
    stopped: 'Answer stopped',
    incomplete: 'Answer incomplete, the connection ended early',
    failed: 'The answer broke off',
    notSent: 'Your message was not sent',
    reconnecting: 'Connection lost, reconnecting',
    connecting: 'No connection to the agent yet, trying again',
    connected: 'Connected, waiting for the answer',
    offline: 'You are offline',
    queued: 'Waiting for a free connection',
    paused: 'Paused',
    back: 'Connected again, the answer goes on',
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask anything…',
    reply: 'Reply…',
    send: 'Send',
    stop: 'Stop',
    sendNext: 'Send after this answer',
    offline: 'You are offline. What you send goes out when you are back.',
    queue: 'Waiting messages',
    queued: 'Queued',
    sendNow: 'Send now',
    take: (message: string) => `Edit ${message}`,
    editLabel: 'Edit message',
    cancel: 'Cancel',
    attach: 'Attach files',
    attachments: 'Attached files',
    dropHere: 'Drop to attach',
    tooLarge: (limit: string) => `over ${limit}`,
    wrongType: 'not a kind that can be sent',
    attachFailed: 'failed',
    attachFirst: 'Wait for the files, or remove those that failed.',
    remove: (name: string) => `Remove ${name}`,
    retry: (name: string) => `Try ${name} again`,
    fileUploading: (name: string) => `Attaching ${name}`,
    fileReady: (name: string) => `${name} attached`,
    fileFailed: (name: string, reason: string) => `${name} not attached: ${reason}`,
    fileRemoved: (name: string) => `${name} removed`,
    keyEnter: 'Enter',
    keyShift: 'Shift',
    keyEscape: 'Esc',
    hintSends: 'sends',
    hintNewLine: 'new line',
    hintStops: 'stops',
  },
  thought: {
    live: 'Thinking',
    done: 'Thought',
    doneFor: (ms: number) => `Thought for ${wholeSeconds(ms)}`,
    elapsed: (ms: number) => `${Math.floor(Math.max(0, ms) / 1000)} s`,
    failed: 'Thinking broke off',
    body: 'Thought',
    redacted: 'Reasoning hidden by the agent',
  },
  progress: {
    label: 'Progress',
    pending: 'Waiting',
    running: 'Running',
    complete: 'Done',
    failed: 'Failed',
    unfinished: 'Not finished',
    share: (fraction: number) => `${Math.round(fraction * 100)}%`,
    earlier: (count: number, failed: number) => `${counted(count, 'earlier step')}${failed > 0 ? `, ${failed} failed` : ''}`,
  },
  citations: {
    label: 'Sources',
    source: (number: number, title: string) => `Source ${number}: ${title}`,
    back: (number: number) => `Source ${number}, back to text`,
    show: 'Show in sources',
    open: 'Open source',
    all: (count: number) => `Show all ${grouped(count)}`,
    close: 'Close',
    confidence: (share: number) => `Confidence ${Math.round(share * 100)}%`,
    share: (share: number) => `${Math.round(share * 100)}%`,
    newTab: 'opens in a new tab',
    unsafe: 'not a web address, so not a link',
  },
  media: {
    label: 'Media',
    count: (count: number) => counted(count, 'item'),
    images: (count: number) => counted(count, 'image'),
    asks: (type: string) => `${type}, loaded only if you ask`,
    load: { image: 'Load image', audio: 'Load audio', video: 'Load video' },
    open: 'Open',
    failed: 'Could not load',
    retry: 'Retry',
    unsafe: 'This address cannot be opened',
    carousel: 'carousel',
    row: 'Media row',
    previous: 'Previous',
    next: 'Next',
    image: (number: number) => `Image ${number}`,
  },
  markdown: {
    table: 'Table',
    code: 'Code',
    taskOpen: 'To do',
    taskDone: 'Done',
    footnotes: 'Footnotes',
    footnote: (number: number) => `Footnote ${number}`,
    backToText: 'Back to the text',
    imageFrom: (host: string) => `Image at ${host}`,
  },
  data: {
    label: 'Data',
    more: (count: number) => `${grouped(count)} more not shown`,
    showMore: 'Show more',
    moreCharacters: (count: number) => counted(count, 'more character'),
    empty: 'No data',
  },
  artifact: {
    untitled: 'Artifact',
    open: 'Open',
    writing: 'Writing',
    failed: 'Failed',
    size: (bytes: number) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${Number((bytes / 1e3).toFixed(1))} kB` : `${Number((bytes / 1e6).toFixed(1))} MB`),
  },
  tool: {
    running: (name: string) => `Running ${name}`,
    complete: (name: string) => `Used ${name}`,
    failed: (name: string) => `${name} failed`,
    unfinished: (name: string) => `${name} did not finish`,
    input: 'Input',
    output: 'Output',
  },
  notice: { tryAgain: 'Try again', details: 'Details' },
  unknown: { title: 'Unknown event' },
  gap: {
    mark: (count: number) => `${counted(count, 'packet')} missing`,
    numbers: (first: number, last: number) => (first === last ? `number ${first}` : `numbers ${first} to ${last}`),
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
    broken: 'This part could not be shown',
    app: 'Something went wrong in this app',
  },
  errorMessages,
  agentErrorMessages,
}

/** The shape of {@link english}: groups of words by part. */
export type Dictionary = typeof english

/** Some words of some groups; what is left out stays English. */
export type DictionaryOverrides = { readonly [Group in keyof Dictionary]?: Partial<Dictionary[Group]> }

/** A dictionary with some words replaced. */
export function withWords(base: Dictionary, overrides: DictionaryOverrides | undefined): Dictionary {
  if (!overrides) return base
  const merged: Record<string, object> = { ...base }
  for (const [group, words] of Object.entries(overrides)) merged[group] = { ...merged[group], ...words }
  // Each group was spread over the same group of `base`, so every word is still there.
  return merged as Dictionary
}
