import type { HTMLAttributes, ReactElement, Ref } from 'react'
import { createElement } from 'react'
import { useLang } from '../dictionary/dictionary-context.tsx'

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

interface RootElementProps<State> {
  readonly tag: string
  readonly render: RenderRoot<State> | undefined
  readonly root: RootProps
  readonly state: State
  readonly rootRef: Ref<unknown>
}

/**
 * The root element of a part: the given tag, or whatever the `render` prop makes of it, with the language of its strings. The ref is among the props that are
 * spread; their type does not name it, for it says nothing of which element it will be.
 */
export function Root<State>({ tag, render, root, state, rootRef }: RootElementProps<State>): ReactElement {
  const props = { lang: useLang(), ...root, ...(rootRef && { ref: rootRef }) }
  return render ? render(props, state) : createElement(tag, props)
}

/** Joins class names, leaving out what is absent. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name).join(' ')
}
