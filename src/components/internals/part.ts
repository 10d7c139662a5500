import { type HTMLAttributes, type ReactElement, type Ref, createElement } from 'react'
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

/** One `data-*` attribute of an element of a part. */
export interface PartAttribute {
  /** Its values; `present` is one that is there without a value or not at all; `any` is text that is not capstan's own. */
  readonly values: readonly (string | number)[] | 'present' | 'any'
  /** What it tells, or when it is present. Markdown. */
  readonly meaning: string
}

/** An element that carries attributes: the root of a part, or an element inside it. */
interface PartElement {
  /** Which elements these are, by selector. */
  readonly selector: string
  /** Only these are part of the interface; the others are for capstan's own sheets and code. @default false */
  readonly internal?: boolean
  readonly attributes: Readonly<Record<`data-${string}`, PartAttribute>>
}

/**
 * All `data-*` attributes of a part: `root`, and other elements by a name for people. Each table is beside its component,
 * which takes types from it; the guide and the tests read it. Nothing uses it at run time, so that bundlers leave it out.
 */
export type PartAttributes = Readonly<Record<string, PartElement>>

type ValueOf<Attribute extends PartAttribute> = Attribute['values'] extends readonly (infer Value)[]
  ? Value
  : Attribute['values'] extends 'present'
    ? ''
    : string | number

/** The type of each attribute of an element: `AttributesOf<typeof messageAttributes, 'root'>['data-role']`. */
export type AttributesOf<Table extends PartAttributes, Element extends keyof Table = 'root'> = {
  readonly [Name in keyof Table[Element]['attributes']]:
    | ValueOf<Extract<Table[Element]['attributes'][Name], PartAttribute>>
    | undefined
}
