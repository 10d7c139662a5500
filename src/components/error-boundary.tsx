'use client'

import { type ErrorInfo, type ReactNode, Component, createContext } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { ErrorDetails } from './error-details.tsx'
import { Dot, MessageStatusRow } from './internals/status-mark.tsx'
import { StepButton } from './internals/buttons.tsx'
import { sameItems } from '../base/equal-json.ts'

/** Called with every failure that an `ErrorBoundary` inside catches. `Chat` gives its `onRenderError` here. */
export const RenderErrorContext = createContext<RenderErrorHandler | undefined>(undefined)

export interface ErrorBoundaryProps {
  /** What may fail alone. Absent: none. */
  readonly children?: ReactNode
  /** When one of these changes, what failed is tried again. Leave out what changes with every token. @default [] */
  readonly resetKeys?: readonly unknown[] | undefined
  /** Shown beside the notice while the children cannot be shown, such as their plain text. Absent: nothing. */
  readonly fallback?: ReactNode
  /** Called once for each failure. The handler of a `Chat` around is called too. Absent: none. */
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
 * Renders its children, and in their place, when something inside throws while it renders, a notice with "Try again"
 * and "Details"; everything around continues. While the notice is shown the children are not rendered, so an answer that streams on
 * does not fail again with every token; a change of `resetKeys` tries again. Does not catch on a server, as React has
 * no such boundaries there.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react'
 * import { ErrorBoundary } from 'capstan/components'
 *
 * export const Safe = ({ children }: { children: ReactNode }) => (
 *   <ErrorBoundary fallback="This chart could not be drawn." onError={console.error}>{children}</ErrorBoundary>
 * )
 * ```
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, BoundaryState> {
  static override contextType = RenderErrorContext
  declare readonly context: RenderErrorHandler | undefined
  override readonly state = WHOLE

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error }, keys: undefined }
  }

  static getDerivedStateFromProps(
    { resetKeys = NO_KEYS }: ErrorBoundaryProps,
    { failure, keys }: BoundaryState,
  ): BoundaryState | null {
    if (failure === undefined) return null
    // A retry in the same render that failed would propagate the error to the boundary outside.
    if (keys === undefined) return { failure, keys: resetKeys }
    return sameItems(keys, resetKeys) ? null : WHOLE
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // In a microtask, because a handler that throws here would unmount the page.
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
  const strings = useDictionary().error
  // Anything can be thrown, and an error's own fields can hold anything.
  const [name, message] = (error instanceof Error ? [error.name, error.message] : ['', error]).map((said) =>
    typeof said === 'string' ? said : '',
  )
  return (
    <MessageStatusRow icon="alert" tone="caution">
      <b className="cs-strong">{strings.broken}</b>
      <Dot />
      <StepButton onPress={onRetry}>{strings.tryAgain}</StepButton>
      <ErrorDetails facts={[name]} said={message ?? ''} />
    </MessageStatusRow>
  )
}

/** Called with a part that could not be shown: for reports. `info.componentStack` says where it was. */
export type RenderErrorHandler = (error: unknown, info: ErrorInfo) => void
