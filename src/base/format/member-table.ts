import { parseBoundedJson } from '../bounded-json.ts'
import type { Guard } from '../guards.ts'
import { isList, isString } from '../guards.ts'
import type { JsonObject } from '../json-object.ts'
import { isJsonObject } from '../json-object.ts'
import { ValidationError } from './validation-error.ts'

// A table describes the messages of a protocol once: for each type a row with the names of its members, such as
// 'messageId role? delta*'. TypeScript types and the reader are derived from it. Behind the name of an optional member is a question
// mark, behind that of a required one which some servers omit a tilde, behind that of a required list an asterisk. The kind of a
// member is that of its name; one without a kind is a string.

const MARKS = '?~*'

/** Checks each kind of member, by its name. */
export type MemberKinds = Readonly<Record<string, Guard<unknown>>>

type WordsOf<Row> = Row extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : Exclude<Row, ''>
type OptionalWord = `${string}?` | `${string}~`
type NameOf<Word> = Word extends `${infer Name}?` | `${infer Name}~` | `${infer Name}*` ? Name : Word
type ValueOf<Word, Kinds> = Word extends `${string}*`
  ? readonly unknown[]
  : NameOf<Word> extends keyof Kinds
    ? Kinds[NameOf<Word>] extends Guard<infer Value>
      ? Value
      : never
    : string

/** Members of a row. */
export type MembersOf<Row, Kinds> = {
  readonly [Word in Exclude<WordsOf<Row>, OptionalWord> as NameOf<Word> & string]: ValueOf<Word, Kinds>
} & {
  readonly [Word in Extract<WordsOf<Row>, OptionalWord> as NameOf<Word> & string]?: ValueOf<Word, Kinds> | undefined
}

/** Messages of a table: a union that `type` discriminates. */
export type MessagesOf<Table, Kinds, Common = unknown> = {
  readonly [Type in keyof Table]: { readonly type: Type } & Common & MembersOf<Table[Type], Kinds>
}[keyof Table]

/**
 * Reads a message of this type: copies the valid members of its row and ignores others.
 *
 * @param nullable names of members whose null is a value: elsewhere, null counts as absent
 * @param onInvalid receives each member that is absent or of another kind, and its mark
 */
export function readMembers(
  type: string,
  message: JsonObject,
  row: string,
  kinds: MemberKinds,
  nullable: RegExp,
  onInvalid: (key: string, mark: string, isAbsent: boolean) => void,
): JsonObject {
  const found: JsonObject = { type }
  for (const word of row.split(' ')) {
    const mark = MARKS.includes(word.at(-1) ?? '') ? word.slice(-1) : ''
    const key = mark === '' ? word : word.slice(0, -1)
    const member = message[key]
    const isAbsent = member === undefined || (member === null && !nullable.test(key))
    if (!isAbsent && (mark === '*' ? isList : (kinds[key] ?? isString))(member)) found[key] = member
    else if (key !== '') onInvalid(key, mark, isAbsent)
  }
  return found
}

/**
 * Parses a message whose member `type` is a string.
 *
 * @param name of such a message in sentences: `an event`
 * @throws ValidationError
 */
export function parseTyped(data: string, name: string): JsonObject & { readonly type: string } {
  let value: unknown
  try {
    value = parseBoundedJson(data)
  } catch (cause) {
    throw new ValidationError(`${name} is not JSON`, { cause })
  }
  if (!isJsonObject(value)) throw new ValidationError(`${name} is not an object`)
  const { type } = value
  if (!isString(type)) throw new ValidationError(`${name} has no type`)
  return Object.assign(value, { type })
}
