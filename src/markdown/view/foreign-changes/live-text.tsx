import type { ReactNode } from 'react'
import { Component, createContext, createRef } from 'react'

/** Is notified of the element of each text. */
export interface TextObserver {
  /** React has just created it or written into it. */
  onWrite(element: Element): void
  /** React removes it. */
  onRemove(element: Element): void
}

export const TextObserverContext = createContext<TextObserver | undefined>(undefined)

interface LiveTextProps {
  readonly text: string
}

/**
 * Text as the only child of an element. Browser translation, highlighters and extensions replace, split and wrap text nodes. React
 * keeps writing into a text node that has siblings after it has left the page, and fails to remove it; the content of an element it
 * replaces as a whole.
 */
export class LiveText extends Component<LiveTextProps> {
  static override contextType = TextObserverContext
  declare readonly context: TextObserver | undefined
  readonly #element = createRef<HTMLSpanElement>()

  override shouldComponentUpdate({ text }: LiveTextProps): boolean {
    return text !== this.props.text
  }

  override componentDidMount(): void {
    if (this.#element.current) this.context?.onWrite(this.#element.current)
  }

  override componentDidUpdate(): void {
    this.componentDidMount()
  }

  override componentWillUnmount(): void {
    if (this.#element.current) this.context?.onRemove(this.#element.current)
  }

  override render(): ReactNode {
    return <span ref={this.#element}>{this.props.text}</span>
  }
}

/** Strings as `LiveText`; anything else unchanged. */
export function asLiveText(shown: ReactNode): ReactNode {
  return typeof shown === 'string' ? shown !== '' && <LiveText text={shown} /> : shown
}
