import type { HTMLAttributes, ReactElement } from 'react'
import { createElement } from 'react'

/** What a part would put on its root element: attributes, handlers, `data-*` state, children. */
export type RootProps = HTMLAttributes<HTMLElement> & {
  readonly [data: `data-${string}`]: string | number | boolean | undefined
}

/**
 * Renders a part's root element in your own way: spread `props` on the element you choose (they
 * carry class, state, handlers and children), read `state` for what the part knows. Parts that only show what they
 * are given know nothing more.
 */
export type RenderRoot<State = undefined> = (props: RootProps, state: State) => ReactElement

/** The root element of a part: the given tag, or whatever the `render` prop makes of it. */
export function renderRoot<State>(tag: string, render: RenderRoot<State> | undefined, props: RootProps, state: State): ReactElement {
  return render ? render(props, state) : createElement(tag, props)
}

/** Joins class names, leaving out what is absent. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name).join(' ')
}
