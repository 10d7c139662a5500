/** A schema of any library that implements Standard Schema, version 1. */
export interface StandardSchema<Value = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined
  }
}

/** What a Standard Schema says of a value. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }
