import type { ReactNode } from 'react'
import { Component } from 'react'

interface RunProps {
  /** It is not the first run. */
  readonly apart: boolean
  readonly children: ReactNode
}

interface RunState {
  /** Counts the elements of this run: another number is another element. */
  readonly round: number
  readonly failure: { readonly error: unknown } | undefined
  /** The children for which the last element was created because of a failure. */
  readonly renewedFor: ReactNode
}

/**
 * A run of blocks in one element, which is created again when React could not insert or remove a node inside, because a script has
 * moved it or what is next to it. The element of the run itself is still in its place, and nothing else is removed then.
 */
export class RenewableRun extends Component<RunProps, RunState> {
  override readonly state: RunState = { round: 0, failure: undefined, renewedFor: undefined }

  static getDerivedStateFromError(error: unknown): Partial<RunState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ children }: RunProps, { round, failure, renewedFor }: RunState): RunState | null {
    if (!failure || !isForeignChange(failure.error) || renewedFor === children) return null
    return { round: round + 1, failure: undefined, renewedFor: children }
  }

  override render(): ReactNode {
    const { round, failure } = this.state
    // For the boundary outside.
    if (failure) throw failure.error
    return (
      <div key={round} className="cs-md-run">
        {this.props.children}
      </div>
    )
  }
}

/** Whether a node was not where React had put it: `insertBefore` and `removeChild` throw this. */
function isForeignChange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NotFoundError'
}
