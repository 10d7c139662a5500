import type { ReactNode } from 'react'
import { Component, createRef } from 'react'
import type { TextObserver } from './live-text.tsx'
import { TextObserverContext } from './live-text.tsx'

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
 * to insert or remove one of them, or the text that it wrote last is no longer in the run. Extensions that reorder or drop elements
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

  /** The element of the text that React wrote last. */
  #last: Element | undefined
  readonly #texts: TextObserver = {
    onWrite: (text) => {
      this.#last = text
    },
    onRemove: (text) => {
      if (this.#last === text) this.#last = undefined
    },
  }

  #isWhole(): boolean {
    return this.#last === undefined || this.#element.current?.contains(this.#last) === true
  }

  /** Before React changes the page for this update: whether nobody else has. */
  override getSnapshotBeforeUpdate(): boolean {
    return this.#isWhole()
  }

  override componentDidUpdate(_props: RunProps, _state: RunState, wasWhole: boolean): void {
    if (wasWhole && this.#isWhole()) return
    this.#last = undefined
    // Before the next paint: what is on the page now is not what the answer says.
    // oxlint-disable-next-line react/no-did-update-set-state
    this.setState(({ round }) => ({ round: round + 1 }))
  }

  override render(): ReactNode {
    const { round, failure } = this.state
    // For the boundary outside.
    if (failure) throw failure.error
    return (
      <TextObserverContext.Provider value={this.#texts}>
        <div key={round} ref={this.#element} className="cs-md-run">
          {this.props.children}
        </div>
      </TextObserverContext.Provider>
    )
  }
}

/** Whether a node was not where React had put it: `insertBefore` and `removeChild` throw this. */
function isForeignChange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NotFoundError'
}
