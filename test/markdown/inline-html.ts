import type { Inline } from '../../src/markdown/inline/tree.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char)
}

/** Inline nodes as the examples of CommonMark write them, which knows no links without brackets; those of GitHub do. */
export function inlineHtml(nodes: readonly Inline[], bareLinks = false): string {
  return nodes.map((node) => nodeHtml(node, bareLinks)).join('')
}

function titled(title: string | undefined): string {
  return title === undefined ? '' : ` title="${escape(title)}"`
}

function nodeHtml(node: Inline, bareLinks: boolean): string {
  const inner = 'children' in node ? inlineHtml(node.children, bareLinks) : ''
  switch (node.type) {
    case 'text':
      return escape(node.text)
    case 'softbreak':
      return '\n'
    case 'break':
      return '<br />\n'
    case 'code':
      return `<code>${escape(node.text)}</code>`
    case 'emphasis':
      return `<em>${inner}</em>`
    case 'strong':
      return `<strong>${inner}</strong>`
    case 'strikethrough':
      return `<del>${inner}</del>`
    case 'sub':
    case 'sup':
    case 'kbd':
      return `<${node.type}>${inner}</${node.type}>`
    case 'link':
      return node.bare && !bareLinks ? inner : `<a href="${escape(node.url)}"${titled(node.title)}>${inner}</a>`
    case 'image':
      return `<img src="${escape(node.url)}" alt="${escape(node.alt)}"${titled(node.title)} />`
    case 'footnote-reference':
      return `<sup>${escape(node.label)}</sup>`
    case 'math':
      return `<math>${escape(node.text)}</math>`
    case 'html':
      return node.text
  }
}
