'use client'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type { MarkdownRenderers } from '../../markdown/view/markdown-renderers.ts'
import { Markdown } from '../../markdown/view/markdown.tsx'
import { CitedText } from '../citation-block/cited-text.tsx'
import { useDictionary } from '../dictionary-context.tsx'
import { CodeBlock } from './code-block.tsx'
import type { MarkdownEngine, MarkdownTextProps } from './markdown-engine.ts'
import { RemoteImage } from './remote-image.tsx'

const KIT: MarkdownRenderers = { code: CodeBlock, image: RemoteImage, text: CitedText }

/** Markdown in the look and the words of the kit: marks lead to their sources, code can be copied, pictures load when asked. */
function RichText({ text, live, tail, renderers }: MarkdownTextProps): ReactNode {
  const { markdown: words } = useDictionary()
  const both = useMemo(() => ({ ...KIT, ...renderers }), [renderers])
  return <Markdown text={text} live={live} tail={tail} renderers={both} words={words} />
}

export const markdownEngine: MarkdownEngine = { Text: RichText }
