'use client'
import type { ErrorInfo, ReactNode } from 'react'
import { Component } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorDetails } from '../error-details/error-details.tsx'
import { Dot, MessageStatusRow } from '../internals/message-status-row.tsx'
import { StepButton } from '../internals/step-button.tsx'
import { sameItems } from '../internals/same-items.ts'
import type { RenderErrorHandler } from './render-error-context.ts'
import { RenderErrorContext } from './render-error-context.ts'

export interface ErrorBoundaryProps {
  /** What may fail alone. */
  readonly children?: ReactNode
  /** When one of these changes, what failed is tried again. Leave out what changes with every token. */
  readonly resetKeys?: readonly unknown[] | undefined
  /** Stands there beside the notice while the children cannot be shown, such as their plain text. */
  readonly fallback?: ReactNode
  /** Hears of each failure once. The handler of a `Chat` around hears of it too. */
  readonly onError?: RenderErrorHandler | undefined
}

interface BoundaryState {
  readonly failure: { readonly error: unknown } | undefined
  /** The reset keys with which it failed; undefined between the failure and the next look at the props. */
  readonly keys: readonly unknown[] | undefined
}

const NO_KEYS: readonly unknown[] = []
const WHOLE: BoundaryState = { failure: undefined, keys: undefined }

/**
 * Keeps a failure to itself: when something inside throws while it renders, a notice with "Try again"
 * and "Details" stands in its place, and everything around goes on. While it stands the children are
 * not rendered, so an answer that streams on does not fail again with every token; a change of
 * `resetKeys` tries again. Does not catch on a server, as React has no such boundaries there.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, BoundaryState> {
  static override contextType = RenderErrorContext
  declare readonly context: RenderErrorHandler | undefined
  override readonly state = WHOLE

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error }, keys: undefined }
  }

  static getDerivedStateFromProps({ resetKeys = NO_KEYS }: ErrorBoundaryProps, { failure, keys }: BoundaryState): BoundaryState | null {
    if (failure === undefined) return null
    // Trying again in the very render that failed would hand the failure on to whatever is around.
    if (keys === undefined) return { failure, keys: resetKeys }
    return sameItems(keys, resetKeys) ? null : WHOLE
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // Later, for a handler that throws would take the page down with it.
    for (const tell of [this.props.onError, this.context]) if (tell) queueMicrotask(() => tell(error, info))
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <>
        {this.props.fallback}
        <BrokenPart error={failure.error} onRetry={() => this.setState(WHOLE)} />
      </>
    )
  }
}

function BrokenPart({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): ReactNode {
  const words = useDictionary().error
  // Anything can be thrown, and an error's own fields can hold anything.
  const [name, message] = (error instanceof Error ? [error.name, error.message] : ['', error]).map((said) => (typeof said === 'string' ? said : ''))
  return (
    <MessageStatusRow icon="alert" tone="caution">
      <b className="cs-strong">{words.broken}</b>
      <Dot />
      <StepButton onPress={onRetry}>{words.tryAgain}</StepButton>
      <ErrorDetails facts={[name]} said={message ?? ''} />
    </MessageStatusRow>
  )
}
