/** What an agent can do, with examples of how to ask for it. */
export interface AgentSkillDescription {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly examples?: readonly string[] | undefined
  readonly inputModes?: readonly string[] | undefined
  readonly outputModes?: readonly string[] | undefined
}

/** An agent as it describes itself. The card of an A2A agent has this shape. All of it is untrusted. */
export interface AgentDescription {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  readonly iconUrl?: string | undefined
  readonly documentationUrl?: string | undefined
  readonly provider?: { readonly organization?: string | undefined; readonly url?: string | undefined } | undefined
  readonly skills?: readonly AgentSkillDescription[] | undefined
  readonly capabilities?:
    | {
        readonly streaming?: boolean | undefined
        readonly pushNotifications?: boolean | undefined
        readonly extendedAgentCard?: boolean | undefined
        readonly extensions?:
          | readonly {
              readonly uri: string
              readonly description?: string | undefined
              readonly required?: boolean | undefined
            }[]
          | undefined
      }
    | undefined
  /** Media types. */
  readonly defaultInputModes?: readonly string[] | undefined
  /** Media types. */
  readonly defaultOutputModes?: readonly string[] | undefined
  /** By name, as OpenAPI or A2A 1.0 describe them. */
  readonly securitySchemes?: Readonly<Record<string, unknown>> | undefined
  readonly supportedInterfaces?:
    | readonly {
        readonly url: string
        readonly protocolBinding: string
        readonly protocolVersion?: string | undefined
      }[]
    | undefined
}
