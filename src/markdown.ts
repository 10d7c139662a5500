export type { MarkdownStream } from './markdown/markdown-stream.ts'
export { createMarkdownStream, parseMarkdown } from './markdown/parse-markdown.ts'
export { mathSyntax } from './markdown/math/math-syntax.ts'
export type { MathSyntax } from './markdown/tree/math-syntax.ts'
export type { Block, Inline, MarkdownRoot } from './markdown/tree/tree.ts'
export { Markdown } from './markdown/view/markdown.tsx'
export type {
  CodeRendererProps,
  ImageRendererProps,
  LinkRendererProps,
  MarkdownRenderers,
  MathRenderer,
  TableRendererProps,
} from './markdown/view/markdown-renderers.ts'
export { englishMarkdownStrings, type MarkdownStrings } from './markdown/view/markdown-strings.ts'
export { markdownEngine } from './components/markdown-block/rich-text-engine.tsx'
