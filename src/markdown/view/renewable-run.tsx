import type { ReactNode } from 'react'
import { Component } from 'react'

interface RunProps {
  /** It is not the first run. */
  readonly apart: boolean
  readonly children: ReactNode
}

interface RunState {
  readonly error?: unknown
}

/**
 * A run of blocks in one element, which is created again when React could not insert or remove a node inside, because a script has
 * moved it or what is next to it. The element of the run itself is still in its place, and nothing else is removed then.
 */
export class RenewableRun extends Component<RunProps, RunState> {
  override readonly state: RunState = {}
  /** The error because of which the element was created, and the children for which it was. */
  #handled: unknown
  #renewedFor: ReactNode
  /** Counts the elements: another number is another element. */
  #round = 0

  static getDerivedStateFromError(error: unknown): RunState {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children } = this.props
    if (error !== this.#handled) {
      // Thrown by `insertBefore` and `removeChild` where a node was not where React had put it. All else is for the boundary outside.
      const { name } = Object(error) as { readonly name?: unknown }
      if (name !== 'NotFoundError' || this.#renewedFor === children) throw error
      this.#handled = error
      this.#renewedFor = children
      this.#round += 1
    }
    return (
      <div key={this.#round} className="cs-md-run">
        {children}
      </div>
    )
  }
}
