import type { ReactNode } from 'react'
import { Component, createRef } from 'react'
import { isLiveText } from './live-text.tsx'

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
 * to insert or remove one of them, or the last text has left the run. Extensions that reorder or drop elements cause that. Only this
 * element is ever removed then, which is still in its place.
 */
export class RenewableRun extends Component<RunProps, RunState> {
  override readonly state: RunState = { round: 0, failure: undefined, renewedFor: undefined }
  readonly #element = createRef<HTMLDivElement>()
  #last: Element | undefined

  static getDerivedStateFromError(error: unknown): Partial<RunState> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ children }: RunProps, { round, failure, renewedFor }: RunState): RunState | null {
    if (!failure || !isForeignChange(failure.error) || renewedFor === children) return null
    return { round: round + 1, failure: undefined, renewedFor: children }
  }

  override componentDidMount(): void {
    this.#last = this.#element.current ? lastText(this.#element.current) : undefined
  }

  /** Before React changes the page for this update: whether the last text is still there. */
  override getSnapshotBeforeUpdate(): boolean {
    return !this.#last || this.#element.current?.contains(this.#last) === true
  }

  override componentDidUpdate(_props: RunProps, _state: RunState, isWhole: boolean): void {
    this.componentDidMount()
    // Before the next paint: what is on the page now is not what the answer says.
    // oxlint-disable-next-line react/no-did-update-set-state
    if (!isWhole) this.setState(({ round }) => ({ round: round + 1 }))
  }

  override render(): ReactNode {
    const { round, failure } = this.state
    // For the boundary outside.
    if (failure) throw failure.error
    return (
      <div key={round} ref={this.#element} className="cs-md-run">
        {this.props.children}
      </div>
    )
  }
}

/** Elements behind the last text that are passed over: a caret, say. */
const MOST_BEHIND = 4

/** The element of the last text, where it is near the end. */
function lastText(run: Element): Element | undefined {
  const walker = run.ownerDocument.createTreeWalker(run, NODE_FILTER_ELEMENTS)
  while (walker.lastChild()) continue
  for (let steps = 0; steps <= MOST_BEHIND && walker.currentNode !== run; steps += 1) {
    // The walker visits elements only.
    const element = walker.currentNode as Element
    if (isLiveText(element)) return element
    walker.previousNode()
  }
  return undefined
}

/** `NodeFilter.SHOW_ELEMENT`. */
const NODE_FILTER_ELEMENTS = 1

/** Whether a node was not where React had put it: `insertBefore` and `removeChild` throw this. */
function isForeignChange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NotFoundError'
}
