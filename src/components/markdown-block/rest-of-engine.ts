// What an answer can be shown without: one file, which a page fetches behind the engine.
export { addRareMarkdown } from '../../markdown/view/rare-markdown.ts'
export { toHtml } from './to-html.ts'
