// What an answer can be shown without: loaded behind the engine.
export { addFootnotes } from '../../markdown/view/all-footnotes.ts'
export { toHtml } from './to-html.ts'
