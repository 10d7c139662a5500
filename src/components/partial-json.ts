/** What has come so far of a JSON text that is still coming. */
export interface PartialJsonReader {
  /**
   * The value of a beginning of the text: what the whole text would be, less what has not come. Strings end where the text ends;
   * numbers, names and keys are left out until they are complete. What is complete is the same object from call to call, and so is
   * all of the value as long as nothing was added. Undefined: there is nothing to show yet.
   *
   * @param text all that has come. When it does not continue the text of the call before, reading starts over.
   */
  read(text: string): unknown
}

interface Frame {
  /** Complete members only. */
  readonly members: unknown[] | Record<string, unknown>
  /** The key whose value is being read. */
  key: string | undefined
  /** What was shown for this frame, and with which open member. */
  shown: unknown
  shownInner: unknown
  hasChanged: boolean
}

type Expected =
  | 'value'
  | 'first-item'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'next'
  | 'string'
  | 'key-string'
  | 'word'
  | 'end'

/** Deeper text is not read further; neither are the views that would render it made for it. */
const MAX_DEPTH = 500
const NOTHING = Symbol('nothing')
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const NAMES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
const SPACE = new Set([' ', '\n', '\r', '\t'])

/**
 * Incremental JSON parser. Each character is read once, however often the text grows; an object or array that is still open is copied when
 * it is shown. Text that is no JSON is read up to its fault.
 */
export function createPartialJson(): PartialJsonReader {
  let seen = ''
  let at = 0
  let expected: Expected = 'value'
  let frames: Frame[] = []
  /** The whole value, once it is complete. */
  let root: unknown = NOTHING
  /** The string or word that is being read. */
  let lexeme = ''
  let isBroken = false

  function start(): void {
    seen = lexeme = ''
    at = 0
    expected = 'value'
    frames = []
    root = NOTHING
    isBroken = false
  }

  function fail(): void {
    isBroken = true
  }

  /** Adds a complete value to what is open. */
  function add(value: unknown): void {
    const frame = frames.at(-1)
    if (frame === undefined) {
      root = value
      expected = 'end'
      return
    }
    put(frame, value)
    frame.hasChanged = true
    frame.key = undefined
    expected = 'next'
  }

  function open(members: Frame['members']): void {
    if (frames.length === MAX_DEPTH) return fail()
    frames.push({ members, key: undefined, shown: NOTHING, shownInner: NOTHING, hasChanged: false })
    expected = Array.isArray(members) ? 'first-item' : 'first-key'
  }

  function close(isArray: boolean): void {
    const frame = frames.at(-1)
    if (frame === undefined || Array.isArray(frame.members) !== isArray) return fail()
    frames.pop()
    add(frame.members)
  }

  function beginValue(character: string): void {
    lexeme = ''
    if (character === '{') open({})
    else if (character === '[') open([])
    else if (character === '"') expected = 'string'
    else if (/[-\da-z]/.test(character)) {
      lexeme = character
      expected = 'word'
    } else fail()
  }

  function endWord(): void {
    if (NUMBER.test(lexeme)) add(Number(lexeme))
    else if (NAMES.has(lexeme)) add(NAMES.get(lexeme))
    else fail()
  }

  /** Reads on inside a string; false when it needs more text. */
  function readString(text: string): boolean {
    const begun = at
    while (at < text.length) {
      const character = text.charAt(at)
      if (character === '"' || character === '\\' || character < ' ') break
      at += 1
    }
    lexeme += text.slice(begun, at)
    if (at === text.length) return false
    const character = text.charAt(at)
    if (character === '"') {
      at += 1
      endString()
      return true
    }
    if (character !== '\\') {
      fail()
      return false
    }
    return readEscape(text)
  }

  function readEscape(text: string): boolean {
    const letter = text.charAt(at + 1)
    const length = letter === 'u' ? 6 : 2
    if (letter === '' || at + length > text.length) return false
    const code = text.slice(at + 2, at + 6)
    const character =
      letter === 'u'
        ? /^[\da-fA-F]{4}$/.test(code)
          ? String.fromCharCode(Number.parseInt(code, 16))
          : undefined
        : ESCAPES.get(letter)
    if (character === undefined) {
      fail()
      return false
    }
    lexeme += character
    at += length
    return true
  }

  function endString(): void {
    const frame = frames.at(-1)
    if (expected === 'string') return add(lexeme)
    if (frame !== undefined) frame.key = lexeme
    expected = 'colon'
  }

  /** Reads one character outside of strings; false when it has to be looked at again. */
  function step(character: string): boolean {
    if (expected === 'word') {
      if (/[-+.\w]/.test(character)) {
        lexeme += character
        return true
      }
      endWord()
      return false
    }
    if (SPACE.has(character)) return true
    switch (expected) {
      case 'first-item':
      case 'value':
        if (character === ']' && expected === 'first-item') close(true)
        else beginValue(character)
        return true
      case 'first-key':
      case 'key':
        lexeme = ''
        if (character === '"') expected = 'key-string'
        else if (character === '}' && expected === 'first-key') close(false)
        else fail()
        return true
      case 'colon':
        if (character === ':') expected = 'value'
        else fail()
        return true
      case 'next':
        if (character === ',') expected = Array.isArray(frames.at(-1)?.members) ? 'value' : 'key'
        else if (character === ']' || character === '}') close(character === ']')
        else fail()
        return true
      default:
        fail()
        return true
    }
  }

  function feed(text: string): void {
    while (at < text.length && !isBroken) {
      if (expected === 'string' || expected === 'key-string') {
        if (!readString(text)) return
      } else if (step(text.charAt(at))) at += 1
    }
  }

  /** The value with what is open, from the inside out. */
  function show(): unknown {
    if (root !== NOTHING) return root
    let inner: unknown = expected === 'string' ? shownString(lexeme) : NOTHING
    for (const frame of frames.toReversed()) {
      if (frame.shown === NOTHING || frame.hasChanged || !Object.is(frame.shownInner, inner)) {
        const { members } = frame
        const copy = Array.isArray(members) ? [...members] : { ...members }
        if (inner !== NOTHING) put({ ...frame, members: copy }, inner)
        frame.shown = copy
        frame.shownInner = inner
        frame.hasChanged = false
      }
      inner = frame.shown
    }
    return inner === NOTHING ? undefined : inner
  }

  return {
    read(text) {
      if (!text.startsWith(seen)) start()
      seen = text
      feed(text)
      return show()
    },
  }
}

function put({ members, key }: Pick<Frame, 'members' | 'key'>, value: unknown): void {
  if (Array.isArray(members)) members.push(value)
  else if (key === '__proto__') {
    // Assigning it would change the prototype, not add a member.
    Object.defineProperty(members, key, { value, configurable: true, enumerable: true, writable: true })
  } else if (key !== undefined) members[key] = value
}

/** A string as far as it has come, without half of a character. */
function shownString(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
