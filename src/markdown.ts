export type { MarkdownOptions, MarkdownStream } from './markdown/markdown-stream.ts'
export { createMarkdownStream, parseMarkdown } from './markdown/parse-markdown.ts'
export { mathSyntax } from './markdown/math/math-syntax.ts'
export type { Formula, FormulaFence, MathSyntax } from './markdown/tree/math-syntax.ts'
export type {
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
} from './markdown/tree/tree.ts'
export { Markdown } from './markdown/view/markdown.tsx'
export type { MarkdownProps } from './markdown/view/markdown-props.ts'
export type {
  CodeRendererProps,
  ImageRendererProps,
  LinkRendererProps,
  MarkdownRenderers,
  MathRenderer,
  MathRendererProps,
  TableRendererProps,
} from './markdown/view/markdown-renderers.ts'
export { englishMarkdownStrings, type MarkdownStrings } from './markdown/view/markdown-strings.ts'
export { markdownEngine } from './components/markdown-block/rich-text-engine.tsx'
