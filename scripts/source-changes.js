// The small changes that a test should notice, and a draw from them.
import { parseSync } from 'vite'

/** Words and tables: what they say is for a reader to judge. */
const LEFT_OUT = /^src\/(strings\/|markdown\/inline\/entity|testing\/|schemas\.ts)/

const OTHER = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }

function* children(node) {
  for (const value of Object.values(node))
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item === 'object' && item !== null && typeof item.type === 'string') yield item
}

/** @returns `{ start, end, to }` for each change of a node */
function* changesOfNode(node, text) {
  const of = ({ start, end }) => text.slice(start, end)
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      for (const to of ['true', 'false']) yield { ...range(node.test), to }
      return
    case 'LogicalExpression':
      if (node.operator !== '??')
        for (const side of [node.left, node.right]) yield { ...range(node), to: `(${of(side)})` }
      return
    case 'BinaryExpression':
      if (Object.hasOwn(OTHER, node.operator))
        yield { ...range(node), to: `${of(node.left)} ${OTHER[node.operator]} ${of(node.right)}` }
      return
    case 'UnaryExpression':
      if (node.operator === '!') yield { ...range(node), to: `(${of(node.argument)})` }
      return
    case 'Literal':
      if (typeof node.value === 'boolean') yield { ...range(node), to: String(!node.value) }
      return
    case 'ExpressionStatement':
      if (!node.directive && containsCall(node.expression)) yield { ...range(node), to: ';' }
  }
}

const range = ({ start, end }) => ({ start, end })

function containsCall({ type, argument, expression }) {
  if (type === 'AwaitExpression' || type === 'UnaryExpression') return containsCall(argument)
  return type === 'ChainExpression' ? containsCall(expression) : type === 'CallExpression'
}

/** @returns every change of a file, in the order of the file */
export function changesOf(file, text) {
  if (LEFT_OUT.test(file)) return []
  const found = []
  const visit = (node) => {
    // Types say nothing when the code runs; `as` and `satisfies` wrap what does.
    const wraps = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(node.type)
    if (node.type.startsWith('TS') && !wraps) return
    if (wraps) return visit(node.expression)
    for (const change of changesOfNode(node, text))
      found.push({ file, line: text.slice(0, change.start).split('\n').length, ...change })
    for (const child of children(node)) visit(child)
  }
  visit(parseSync(file, text).program)
  return found
}

/** `count` of the changes, each as likely as any other, the same for the same seed. */
export function drawn(changes, count, seed) {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const left = [...changes]
  for (let at = 0; at < Math.min(count, left.length); at += 1) {
    const other = at + Math.floor(random() * (left.length - at))
    ;[left[at], left[other]] = [left[other], left[at]]
  }
  return left.slice(0, count)
}
