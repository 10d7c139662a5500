/** One `data-*` attribute of an element of a part. */
export interface PartAttribute {
  /** Its values; `present` is one that is there without a value or not at all; `any` is text that is not capstan's own. */
  readonly values: readonly (string | number)[] | 'present' | 'any'
  /** What it tells, or when it is present. Markdown. */
  readonly meaning: string
}

/** An element that carries attributes: the root of a part, or an element inside it. */
export interface PartElement {
  /** Which elements these are, by selector. */
  readonly selector: string
  /** Only these are part of the interface; the others are for capstan's own sheets and code. @default false */
  readonly internal?: boolean
  readonly attributes: Readonly<Record<`data-${string}`, PartAttribute>>
}

/**
 * All `data-*` attributes of a part: `root`, and other elements by a name for people. Each table is beside its component,
 * which takes types from it; the guide and the tests read it. Nothing uses it at run time, so that bundlers leave it out.
 */
export type PartAttributes = Readonly<Record<string, PartElement>>

type ValueOf<Attribute extends PartAttribute> = Attribute['values'] extends readonly (infer Value)[]
  ? Value
  : Attribute['values'] extends 'present'
    ? ''
    : string | number

/** The type of each attribute of an element: `AttributesOf<typeof messageAttributes, 'root'>['data-role']`. */
export type AttributesOf<Table extends PartAttributes, Element extends keyof Table = 'root'> = {
  readonly [Name in keyof Table[Element]['attributes']]:
    | ValueOf<Extract<Table[Element]['attributes'][Name], PartAttribute>>
    | undefined
}
