'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { useScrollPlace } from './internals/use-scroll-place.ts'
import { usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import { isJsonObject } from '../base/json-object.ts'
import type { PromptSubject } from '../seam/prompt.ts'
import { capMarks } from '../base/cap-marks.ts'
import { MAX_DEPTH } from '../base/bounded-json.ts'

/** How many more characters are shown at a time. */
const STEP = 10_000

interface LiteralValueProps {
  /** Any JSON value. */
  readonly value: unknown
  /** How many characters are shown at first. */
  readonly limit: number
}

/** A value of an agent, literally: text as it is, anything else as JSON. Scrolls in itself; of a giant one the beginning, and more on request. */
export function LiteralValue({ value, limit }: LiteralValueProps): ReactNode {
  const { cut } = usePromptStrings().approval
  const { showMore } = useDictionary().data
  const [more, setMore] = useState(0)
  const [box, place] = useScrollPlace<HTMLDivElement>()
  const { text, isCut } = useMemo(() => boundedText(value, limit + more), [value, limit, more])
  return (
    <>
      <div
        ref={box}
        className="cs-literal"
        dir={typeof value === 'string' ? undefined : 'ltr'}
        tabIndex={place === 'none' ? undefined : 0}
      >
        <LiteralText text={text} />
        {isCut && <span>…</span>}
      </div>
      {isCut && (
        <p className="cs-cut">
          <span>{`${cut} `}</span>
          <button type="button" className="cs-button" data-kind="link" onClick={() => setMore(more + STEP)}>
            {showMore}
          </button>
        </p>
      )}
    </>
  )
}

/** Text of an agent, literally: plain text, and characters that nobody would see as their codes. */
export function LiteralText({ text }: { readonly text: string }): ReactNode {
  const pieces = useMemo(() => literalPieces(text), [text])
  return (
    // Another text is another element, so that no text node in it ever changes: a script may have replaced it.
    <span key={text}>
      {pieces.map((piece, index) =>
        piece.isCode ? (
          // oxlint-disable-next-line react/no-array-index-key -- a piece is its place in the text
          <span key={index} className="cs-unseen">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </span>
  )
}

/** Characters of one value, and of all values together, that are shown at first. */
const MOST_OF_VALUE = 2_000

const MOST_OF_ALL = 8_000

const FIRST_ROWS = 20

const LONGEST_KEY = 120

interface SubjectTableProps {
  readonly subject: PromptSubject
  /** Label of the name of the subject. */
  readonly label: string
  /** Labels of keys that the app knows. The others are shown as they are. */
  readonly keys?: Readonly<Record<string, string>> | undefined
}

/** What is to be done, literally: its name and each value of its input, as a list of keys and values. */
export function SubjectTable({ subject: { name, input }, label, keys = {} }: SubjectTableProps): ReactNode {
  const strings = usePromptStrings().approval
  const { showMore } = useDictionary().data
  const [rows, setRows] = useState(FIRST_ROWS)
  const { entries, isCut } = useMemo(() => entriesOf(input, rows), [input, rows])
  const limit = Math.min(MOST_OF_VALUE, Math.ceil(MOST_OF_ALL / Math.max(1, entries.length)))
  return (
    <>
      <dl className="cs-subject">
        <Row label={label} value={name} limit={MOST_OF_VALUE} />
        {entries.map(([key, value]) => (
          <Row
            key={key}
            label={Object.hasOwn(keys, key) ? keys[key] : key === '' ? strings.input : undefined}
            literalKey={key}
            value={value}
            limit={limit}
          />
        ))}
      </dl>
      {entries.length === 0 && <p className="cs-cut">{strings.noInput}</p>}
      {isCut && (
        <p className="cs-cut">
          <span>{`${strings.cut} `}</span>
          <button type="button" className="cs-button" data-kind="link" onClick={() => setRows(rows + FIRST_ROWS)}>
            {showMore}
          </button>
        </p>
      )}
    </>
  )
}

interface RowProps {
  readonly label: string | undefined
  readonly literalKey?: string
  readonly value: unknown
  readonly limit: number
}

function Row({ label, literalKey = '', value, limit }: RowProps): ReactNode {
  return (
    <div className="cs-subject-row">
      <dt className="cs-subject-key">
        {label ?? <bdi className="cs-subject-name">{literalLabel(literalKey, LONGEST_KEY)}</bdi>}
      </dt>
      <dd className="cs-subject-value">
        <LiteralValue value={value} limit={limit} />
      </dd>
    </div>
  )
}

/** Of an input that is not an object one entry without a key. */
function entriesOf(input: unknown, rows: number): ReturnType<typeof firstEntries> {
  if (isJsonObject(input)) return firstEntries(input, rows)
  return { entries: input === undefined ? [] : [['', input]], isCut: false }
}

/** A piece of a text: as it is, or the code of characters that nobody would see. */
interface LiteralPiece {
  readonly text: string
  readonly isCode: boolean
}

/** Control and format characters (direction marks, joiners, tags), fillers and variation selectors; tabs and the ends of lines are seen. */
const UNSEEN =
  '[^\\P{Cc}\\n\\r\\t]|\\r(?!\\n)|[\\p{Cf}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u2800\\u3164\\uFFA0\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]|[\\uFE0E\\uFE0F]{2,}'

/** Many empty lines push what follows out of view. */
const EMPTY_LINES = '(?:\\r?\\n[ \\t]*){4,}'

const HIDDEN = new RegExp(`${EMPTY_LINES}|(?:${UNSEEN})+`, 'gu')

/** Codes that one row of unseen characters is written with. */
const MOST_CODES = 4

/** Scripts, and pictures, whose spelling needs joiners between two characters. */
const NEEDS_JOINERS =
  '[\\p{Script=Arab}\\p{Script=Syrc}\\p{Script=Mong}\\p{Script=Deva}\\p{Script=Beng}\\p{Script=Guru}\\p{Script=Gujr}\\p{Script=Orya}\\p{Script=Taml}\\p{Script=Telu}\\p{Script=Knda}\\p{Script=Mlym}\\p{Script=Sinh}\\p{Script=Khmr}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]'

const JOINER = new RegExp(`^${NEEDS_JOINERS}[\\u200C\\u200D]${NEEDS_JOINERS}`, 'u')

/** The pieces of a text in which everything that is there can be seen: each row of unseen characters is written as its codes. */
export function literalPieces(text: string): readonly LiteralPiece[] {
  const pieces: LiteralPiece[] = []
  let end = 0
  for (const { 0: row, index } of text.matchAll(HIDDEN)) {
    if (isSpelling(text, index, row)) continue
    if (index > end) pieces.push({ text: capMarks(text.slice(end, index)), isCode: false })
    pieces.push({ text: codesOf(row), isCode: true })
    // The line that follows begins on its own line.
    end = index + row.length
    if (isLines(row)) pieces.push({ text: '\n', isCode: false })
  }
  if (end < text.length) pieces.push({ text: capMarks(text.slice(end)), isCode: false })
  return pieces
}

/** Text of an agent on one line, at most `longest` characters of it, with the codes in brackets: where no element can be. */
export function literalLabel(text: string, longest: number): string {
  const line = text.slice(0, longest).replaceAll(/\s+/g, ' ').trim()
  const pieces = literalPieces(line).map((piece) => (piece.isCode ? `[${piece.text}]` : piece.text))
  return `${pieces.join('')}${text.length > longest ? '…' : ''}`
}

/** Whether a row is one joiner that its neighbours are spelled with. */
function isSpelling(text: string, index: number, row: string): boolean {
  if (row !== '\u200C' && row !== '\u200D') return false
  // One character of 16 bits, or the two halves of one.
  const start = /[\uDC00-\uDFFF]/.test(text.charAt(index - 1)) ? index - 2 : index - 1
  return JOINER.test(text.slice(Math.max(0, start), index + 3))
}

function isLines(row: string): boolean {
  return row.startsWith('\n') || row.startsWith('\r\n')
}

function codesOf(row: string): string {
  if (isLines(row)) return `⏎ ×${row.split('\n').length - 1}`
  const codes = Array.from(row, (character) => `U+${hexOf(character)}`)
  const names = [...new Set(codes)]
  const shown = names.slice(0, MOST_CODES).join(' ') + (names.length > MOST_CODES ? ' …' : '')
  return codes.length > names.length || names.length > MOST_CODES ? `${shown} ×${codes.length}` : shown
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}

/** The beginning of something that may be of any size. */
interface BoundedText {
  readonly text: string
  /** Whether there is more. */
  readonly isCut: boolean
}

/** Deeper levels are not moved further in: the text would be mostly indentation. */
const MOST_INDENT = 12

/** A string as it is, anything else as JSON: about `limit` characters of it. The work is bounded by them, whatever the size of the value. */
export function boundedText(value: unknown, limit: number): BoundedText {
  if (typeof value !== 'string' || value.trim() === '') return boundedJson(value, limit)
  return { text: value.slice(0, limit), isCut: value.length > limit }
}

/** Some entries of an object, by the order of their keys. */
interface BoundedEntries {
  readonly entries: readonly (readonly [key: string, value: unknown])[]
  /** Whether there are more. */
  readonly isCut: boolean
}

/** The first entries of an object. */
export function firstEntries(object: Readonly<Record<string, unknown>>, limit: number): BoundedEntries {
  const entries: [string, unknown][] = []
  // No list of all keys is made.
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue
    if (entries.length === limit) return { entries, isCut: true }
    entries.push([key, object[key]])
  }
  return { entries, isCut: false }
}

function boundedJson(root: unknown, limit: number): BoundedText {
  let text = ''
  let isCut = false

  /** Writes an item, and says whether there is space for another. */
  function writeItem(write: () => void, isFirst: boolean, indent: string): boolean {
    if (text.length >= limit) {
      isCut = true
      return false
    }
    text += isFirst ? indent : `,${indent}`
    write()
    return true
  }
  function writeString(value: string): void {
    const left = Math.max(0, limit - text.length)
    text += JSON.stringify(value.slice(0, left))
    if (value.length > left) isCut = true
  }
  function write(value: unknown, depth: number): void {
    if (typeof value === 'string') writeString(value)
    else if (Array.isArray(value) || isJsonObject(value)) writeItems(value, depth)
    else text += String(value)
  }
  function writeItems(value: readonly unknown[] | Readonly<Record<string, unknown>>, depth: number): void {
    if (depth > MAX_DEPTH) {
      isCut = true
      return
    }
    const inner = `\n${'  '.repeat(Math.min(depth, MOST_INDENT))}`
    let isEmpty = true
    text += Array.isArray(value) ? '[' : '{'
    if (Array.isArray(value)) {
      for (const item of value) {
        if (!writeItem(() => write(item, depth + 1), isEmpty, inner)) return
        isEmpty = false
      }
    } else {
      const object = value as Readonly<Record<string, unknown>>
      for (const key in object) {
        if (!Object.hasOwn(object, key)) continue
        const writeEntry = (): void => {
          writeString(key)
          text += ': '
          write(object[key], depth + 1)
        }
        if (!writeItem(writeEntry, isEmpty, inner)) return
        isEmpty = false
      }
    }
    if (isCut) return
    if (!isEmpty) text += `\n${'  '.repeat(Math.min(depth - 1, MOST_INDENT))}`
    text += Array.isArray(value) ? ']' : '}'
  }

  write(root, 1)
  return { text, isCut }
}
