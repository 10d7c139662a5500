export type { MarkdownOptions, MarkdownStream } from './markdown/markdown-stream.ts'
export { createMarkdownStream, parseMarkdown } from './markdown/parse-markdown.ts'
export { mathSyntax } from './markdown/math-syntax.ts'
export type {
  Formula,
  FormulaFence,
  MathSyntax,
  Block,
  Chunk,
  Chunks,
  Code,
  CodeLine,
  Footnote,
  Heading,
  Html,
  Inline,
  InlineSegment,
  List,
  ListItem,
  MarkdownRoot,
  Paragraph,
  Quote,
  Table,
  TableCell,
  TableRow,
  ThematicBreak,
} from './markdown/inline/tree.ts'
export { Markdown } from './markdown/view/markdown.tsx'
export {
  type MarkdownProps,
  type CodeRendererProps,
  type ImageRendererProps,
  type LinkRendererProps,
  type MarkdownRenderers,
  type MathRenderer,
  type MathRendererProps,
  type TableRendererProps,
  englishMarkdownStrings,
  type MarkdownStrings,
} from './markdown/view/markdown-props.ts'
export { markdownEngine } from './components/markdown-block/rich-text-engine.tsx'
