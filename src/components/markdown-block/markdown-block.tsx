'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  createContext,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { CitedText } from '../citation-block/cited-text.tsx'
import { type RenderRoot, classNames, Root } from '../internals/part.ts'
import type { MarkdownRenderers } from '../../markdown/view/markdown-props.ts'
import { loadedEngine, subscribeToEngine } from './lazy-engine.ts'
import type { MarkdownEngine } from './markdown-engine.ts'

export interface MarkdownBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown source. */
  readonly content: string
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<div>`: markdown that is complete, as a `MarkdownProvider` around says; rich text once its code is there,
 * plain text until then. Inside a `CitationProvider`, such as every answer has, marks like `[1]` lead to their source.
 *
 * @example
 * ```tsx
 * import { MarkdownBlock } from 'capstan/components'
 *
 * export function Note() {
 *   return <MarkdownBlock content="A loop the river has **left behind**." />
 * }
 * ```
 */
export const MarkdownBlock = forwardRef<HTMLDivElement, MarkdownBlockProps>(function MarkdownBlock(
  { content, render, className, ...rest },
  ref,
): ReactNode {
  const { engine, renderers } = useMarkdown()
  return (
    <Root
      tag="div"
      render={render}
      root={{
        dir: 'auto',
        ...rest,
        className: classNames('cs-part cs-prose', !engine && 'cs-text', className),
        children: engine ? <engine.Text text={content} renderers={renderers} /> : <CitedText text={content} />,
      }}
      state={undefined}
      rootRef={ref}
    />
  )
})

interface MarkdownSetup {
  readonly engine?: 'lazy' | 'off' | MarkdownEngine | undefined
  readonly renderers?: MarkdownRenderers | undefined
}

const MarkdownSetupContext = createContext<MarkdownSetup>({})

export interface MarkdownProviderProps {
  /**
   * What shows the markdown of answers. `lazy`: code that is fetched when the first answer is shown, which is plain
   * text until then. `off`: plain text, as for an agent that was asked for none (`prefers_markdown: false`). Or the
   * engine of `capstan/markdown`, which is then in the bundle. A provider around comes before the default.
   *
   * @default 'lazy'
   */
  readonly engine?: 'lazy' | 'off' | MarkdownEngine | undefined
  /**
   * Your own components for code, links, images, tables, formulas and words. Keep the object stable.
   *
   * @default capstan's own
   */
  readonly renderers?: MarkdownRenderers | undefined
  /** The parts whose text is shown so. Absent: none. */
  readonly children?: ReactNode
}

/**
 * Renders its children, and says for all parts inside how the markdown of answers is shown. What is left out stays as
 * around.
 *
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { markdownEngine } from 'capstan/markdown'
 *
 * export const App = () => (
 *   <MarkdownProvider engine={markdownEngine}>
 *     <Chat />
 *   </MarkdownProvider>
 * )
 * ```
 */
export function MarkdownProvider({ engine, renderers, children }: MarkdownProviderProps): ReactNode {
  const around = useContext(MarkdownSetupContext)
  const setup = useMemo(
    () => ({ engine: engine ?? around.engine, renderers: renderers ?? around.renderers }),
    [around, engine, renderers],
  )
  return <MarkdownSetupContext.Provider value={setup}>{children}</MarkdownSetupContext.Provider>
}

const never = (): (() => void) => () => {}

const nothing = (): undefined => undefined

/** The active engine, or undefined for plain text, and the host's renderers. */
export function useMarkdown(): {
  readonly engine: MarkdownEngine | undefined
  readonly renderers: MarkdownRenderers | undefined
} {
  const { engine = 'lazy', renderers } = useContext(MarkdownSetupContext)
  const lazy = engine === 'lazy'
  // On the server the code is not there yet, so the first render in the browser has to be the same.
  const loaded = useSyncExternalStore(lazy ? subscribeToEngine : never, lazy ? loadedEngine : nothing, nothing)
  return { engine: typeof engine === 'string' ? loaded : engine, renderers }
}
