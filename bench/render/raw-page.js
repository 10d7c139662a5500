// The limit: text written into nodes, once a frame, with no framework, no parser and no checks.
import { expose } from './play.js'

let view
let open
let pending = ''
let fenced = false
/** Half of a mark at the end: it is not known yet where it goes. */
let held = ''

function element(name, parent) {
  return parent.appendChild(document.createElement(name))
}

/** Where a line that begins so goes: a row, an item, code, or a paragraph. */
function place(message, line) {
  if (line.startsWith('```')) {
    fenced = true
    return { node: element('pre', message).appendChild(new Text('')) }
  }
  const last = message.lastElementChild
  if (line.startsWith('|'))
    return { row: element('tr', element('tbody', last?.tagName === 'TABLE' ? last : element('table', message))) }
  if (line.startsWith('- '))
    return { node: element('li', last?.tagName === 'UL' ? last : element('ul', message)).appendChild(new Text('')) }
  return { node: element('p', message).appendChild(new Text('')) }
}

function write(message, text) {
  const lines = (held + text).split('\n')
  held = ''
  for (const [at, line] of lines.entries()) {
    if (at > 0) {
      if (fenced) open.node.appendData('\n')
      else open = undefined
    }
    if (line === '') continue
    if (at === lines.length - 1 && line.length < 3 && '`-|'.includes(line[0]) && (fenced || open === undefined)) {
      held = line
      continue
    }
    if (fenced && line.startsWith('```')) {
      fenced = false
      continue
    }
    open ??= place(message, line)
    if (open.row === undefined) open.node.appendData(line)
    else {
      const cells = line.split('|')
      open.row.lastChild?.firstChild.appendData(cells[0])
      for (const cell of cells.slice(1)) element('td', open.row).appendChild(new Text(cell))
    }
  }
}

function message() {
  open = undefined
  fenced = false
  held = ''
  const made = element('article', view)
  made.className = 'message'
  return made
}

function push(token) {
  if (pending === '') requestAnimationFrame(flush)
  pending += token
}

function flush() {
  const text = pending
  pending = ''
  write(view.lastElementChild, text)
  view.scrollTop = view.scrollHeight
}

async function begin(messages, text, box) {
  view = element('div', box)
  view.className = 'view'
  element('textarea', box)
  for (const { text } of messages) write(message(), text)
  write(message(), text)
  view.scrollTop = view.scrollHeight
}

expose({ begin, push })
