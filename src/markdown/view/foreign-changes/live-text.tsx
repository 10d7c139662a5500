import type { ReactNode } from 'react'
import { Component, createContext, createRef } from 'react'

/** Called with the element of each text after an update. */
export const TextUpdateContext = createContext<((element: Element) => void) | undefined>(undefined)

interface LiveTextProps {
  readonly text: string
}

/**
 * Text as the only child of an element. Browser translation, highlighters and extensions replace, split and wrap text nodes. React
 * keeps writing into a text node that has siblings after it has left the page, and fails to remove it; the content of an element it
 * replaces as a whole.
 */
export class LiveText extends Component<LiveTextProps> {
  static override contextType = TextUpdateContext
  declare readonly context: ((element: Element) => void) | undefined
  readonly #element = createRef<HTMLSpanElement>()

  override shouldComponentUpdate({ text }: LiveTextProps): boolean {
    return text !== this.props.text
  }

  override componentDidUpdate(): void {
    if (this.#element.current) this.context?.(this.#element.current)
  }

  override render(): ReactNode {
    return <span ref={this.#element}>{this.props.text}</span>
  }
}

/** Strings as `LiveText`; anything else unchanged. */
export function asLiveText(shown: ReactNode): ReactNode {
  return typeof shown === 'string' ? shown !== '' && <LiveText text={shown} /> : shown
}
