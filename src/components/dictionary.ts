/** Seconds as people read them: tenths under ten, whole above, minutes from two minutes on. */
function seconds(ms: number): string {
  const whole = Math.max(0, ms) / 1000
  if (whole >= 120) return `${Math.round(whole / 60)} min`
  return whole < 10 ? `${whole.toFixed(1)} s` : `${Math.round(whole)} s`
}

/** Whole seconds, for things that have already taken their time. */
function wholeSeconds(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`
}

/**
 * Every word the components show or speak, in English. Override any of them through
 * `DictionaryProvider` or the `words` prop of `Chat`.
 */
export const english = {
  chat: {
    label: 'Chat',
    transcript: 'Transcript',
    conversation: 'Conversation',
    emptyTitle: 'What can I help with?',
    suggestions: 'Suggestions',
    jump: 'Jump to latest',
    jumpNew: 'Jump to latest, new content below',
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
    reconnectingIn: (ms: number) => `Reconnecting in ${seconds(ms)}`,
    reconnectingNow: 'Reconnecting…',
    attempt: (attempt: number, of: number) => `attempt ${attempt} of ${of}`,
    retryNow: 'Retry now',
    queued: 'Waiting for a free connection. Other tabs are using them all.',
    paused: 'Paused',
    resume: 'Resume',
    offline: 'You are offline. The answer continues when you are back.',
  },
  connection: {
    label: 'Connection',
    ready: 'Ready',
    connecting: 'Connecting',
    queued: 'Waiting',
    live: 'Live',
    reconnecting: (attempt: number, of: number) => `Reconnecting, ${attempt} of ${of}`,
    offline: 'Offline',
    paused: 'Paused',
    gaveUp: 'Gave up',
    failed: 'Failed',
  },
  announce: {
    generating: 'Generating an answer',
    complete: 'Answer complete',
    stopped: 'Answer stopped',
    incomplete: 'Answer incomplete, the connection ended early',
    failed: 'The answer broke off',
    notSent: 'Your message was not sent',
    reconnecting: 'Connection lost, reconnecting',
    offline: 'You are offline',
    back: 'Connected again, nothing was lost',
  },
  composer: {
    label: 'Message',
    placeholder: 'Ask anything…',
    reply: 'Reply…',
    send: 'Send',
    stop: 'Stop',
    busy: 'The answer is still being written. Your text is kept; Esc stops the answer.',
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
    body: 'Thought',
    redacted: 'Reasoning hidden by the agent',
  },
  progress: {
    label: 'Progress',
    pending: 'Waiting',
    running: 'Running',
    complete: 'Done',
    failed: 'Failed',
    share: (fraction: number) => `${Math.round(fraction * 100)}%`,
  },
  citations: {
    label: 'Sources',
    source: (number: number) => `Source ${number}`,
    confidence: (share: number) => `Confidence ${Math.round(share * 100)}%`,
    share: (share: number) => `${Math.round(share * 100)}%`,
    newTab: 'opens in a new tab',
    unsafe: 'not a web address, so not a link',
  },
  media: {
    label: 'Media',
    count: (count: number) => (count === 1 ? '1 item' : `${count} items`),
    images: (count: number) => (count === 1 ? '1 image' : `${count} images`),
    asks: (type: string) => `${type}, loaded only if you ask`,
    load: 'Load image',
    open: 'Open',
    failed: 'Could not load',
    retry: 'Retry',
    unsafe: 'This address cannot be opened',
    row: 'Media row',
    previous: 'Previous',
    next: 'Next',
    image: (number: number) => `Image ${number}`,
  },
  data: {
    label: 'Data',
    more: (count: number) => `${count} more not shown`,
    empty: 'No data',
  },
  artifact: { untitled: 'Artifact', open: 'Open' },
  tool: {
    running: (name: string) => `Running ${name}`,
    complete: (name: string) => `Used ${name}`,
    failed: (name: string) => `${name} failed`,
    input: 'Input',
    output: 'Output',
  },
  notice: { tryAgain: 'Try again', details: 'Details' },
  unknown: { title: 'Unknown event' },
  gap: {
    mark: (count: number) => (count === 1 ? '1 packet missing' : `${count} packets missing`),
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
    warning: 'Warning',
    session: 'Your session has ended',
    sessionText: 'Sign in to go on. Your conversation is kept.',
    access: 'You do not have access',
    accessText: 'This agent is limited to the people it was shared with.',
    notFound: 'This agent could not be found',
    notFoundText: 'It may have moved or been removed.',
    expired: 'This answer can no longer be continued',
    expiredText: 'The server no longer keeps it. Ask again for a new one.',
    rateLimited: 'Too many requests',
    rateLimitedText: 'Wait a moment, then try again.',
    rateLimitedFor: (ms: number) => `Wait ${wholeSeconds(ms)}, then try again.`,
    server: 'The agent could not answer',
    serverText: 'Its server reported an error. What has come so far is kept.',
    refused: 'The agent did not accept the request',
    refusedText: 'Trying the same again is unlikely to help.',
    network: 'Could not reach the agent',
    networkAfter: (attempts: number) =>
      `Could not reach the agent after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    networkText: 'Check your connection. What has come so far is kept.',
    timeout: 'The agent took too long to answer',
    timeoutText: 'Nothing came for a while. What has come so far is kept.',
    truncated: 'The connection ended early',
    truncatedText: 'The answer stopped before the agent said it was done.',
    unreadable: 'The answer could not be read',
    unreadableText: 'The agent sent something this app does not understand.',
    setup: 'The request could not be sent',
    setupText: 'This app is not set up correctly for the agent.',
    busy: 'An answer is still being written',
    busyText: 'Wait for it to end, or stop it first.',
    agent: 'The agent reported a problem',
    app: 'Something went wrong in this app',
    appText: 'Your conversation is kept.',
  },
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
