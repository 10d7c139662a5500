import { parseBoundedJson } from '../bounded-json.ts'
import type { Guard } from '../guards.ts'
import { isString } from '../guards.ts'
import type { JsonObject } from '../json-object.ts'
import { isJsonObject } from '../json-object.ts'
import { ValidationError } from './validation-error.ts'

// A table describes the messages of a protocol once: for each type a row with the names of its members, such as
// 'messageId role? delta*'. TypeScript types and the reader are derived from it. Behind the name of an optional member is a question
// mark, behind that of a required one which some servers omit a tilde, behind that of one which has another kind elsewhere an asterisk. The
// kind of a member is that of its word, or else of its name; one without a kind is a string.

/** Checks each kind of member, by its name. */
export type MemberKinds = Readonly<Record<string, Guard<unknown>>>

type WordsOf<Row> = Row extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : Exclude<Row, ''>
type OptionalWord = `${string}?` | `${string}~`
type NameOf<Word> = Word extends `${infer Name}?` | `${infer Name}~` | `${infer Name}*` ? Name : Word
type ValueOf<Word, Kinds> = Word extends keyof Kinds
  ? Kinds[Word] extends Guard<infer Value>
    ? Value
    : never
  : NameOf<Word> extends Word
    ? string
    : ValueOf<NameOf<Word>, Kinds>

/** A message whose type was checked. */
export type Typed = JsonObject & { readonly type: string }

/** ObjectShape of a row. */
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
 * Reads a message: copies the valid members of the row of its type and ignores others. Null counts as absent, unless its kind accepts null.
 *
 * @param onInvalid receives each member that is absent or of another kind, and its word
 */
export function readMembers(
  message: Typed,
  row: string,
  kinds: MemberKinds,
  onInvalid: (key: string, word: string) => void,
): JsonObject {
  const found: JsonObject = { type: message.type }
  for (const word of row.split(' ')) {
    const key = /\w$/.test(word) ? word : word.slice(0, -1)
    const member = message[key]
    if (member !== undefined && (kinds[word] ?? kinds[key] ?? isString)(member)) found[key] = member
    else if (key !== '') onInvalid(key, word)
  }
  return found
}

/**
 * Parses a message whose member `type` is a string.
 *
 * @param name of such a message in sentences: `an event`
 * @throws ValidationError
 */
export function parseTyped(data: string, name: string): Typed {
  let value: unknown
  try {
    value = parseBoundedJson(data)
  } catch (cause) {
    throw new ValidationError(`${name} is not JSON`, { cause })
  }
  if (!isJsonObject(value)) throw new ValidationError(`${name} is not an object`)
  if (!isString(value['type'])) throw new ValidationError(`${name} has no type`)
  // Its type was checked.
  return value as Typed
}
