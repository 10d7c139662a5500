import type { ReactNode } from 'react'
import { Component, createRef } from 'react'
import { TextUpdateContext } from './live-text.tsx'

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
 * A run of blocks in one element, which is created again when the nodes inside are no longer those that React rendered: React failed
 * to insert or remove one of them, or wrote text into an element that has left the run. Extensions that reorder or drop elements
 * cause that. Only this element is ever removed then, which is still in its place.
 */
export class RenewableRun extends Component<RunProps, RunState> {
  override readonly state: RunState = { round: 0, failure: undefined, renewedFor: undefined }
  readonly #element = createRef<HTMLDivElement>()

  static getDerivedStateFromError(error: unknown): Partial<RunState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ children }: RunProps, { round, failure, renewedFor }: RunState): RunState | null {
    if (!failure || !isForeignChange(failure.error) || renewedFor === children) return null
    return { round: round + 1, failure: undefined, renewedFor: children }
  }

  readonly #onTextUpdate = (text: Element): void => {
    const run = this.#element.current
    if (run && !run.contains(text)) this.setState(({ round }) => ({ round: round + 1 }))
  }

  override render(): ReactNode {
    const { round, failure } = this.state
    // For the boundary outside.
    if (failure) throw failure.error
    return (
      <TextUpdateContext.Provider value={this.#onTextUpdate}>
        <div key={round} ref={this.#element} className="cs-md-run">
          {this.props.children}
        </div>
      </TextUpdateContext.Provider>
    )
  }
}

/** Whether a node was not where React had put it: `insertBefore` and `removeChild` throw this. */
function isForeignChange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NotFoundError'
}
