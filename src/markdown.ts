export type { MarkdownStream } from './markdown/markdown-stream.ts'
export { createMarkdownStream, parseMarkdown } from './markdown/parse-markdown.ts'
export { mathSyntax } from './markdown/math-syntax.ts'
export type { MathSyntax } from './markdown/inline/tree.ts'
export type { Block, Inline, MarkdownRoot } from './markdown/inline/tree.ts'
export { Markdown } from './markdown/view/markdown.tsx'
export type {
  CodeRendererProps,
  ImageRendererProps,
  LinkRendererProps,
  MarkdownRenderers,
  MathRenderer,
  TableRendererProps,
} from './markdown/view/markdown-props.ts'
export { englishMarkdownStrings, type MarkdownStrings } from './markdown/view/markdown-props.ts'
export { markdownEngine } from './components/markdown-block/rich-text-engine.tsx'
