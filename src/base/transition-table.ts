/** What one input does: for each phase, in their order, the phase it leads to; a dot where nothing changes. */
export type Row<Phases extends readonly string[]> = { readonly [Index in keyof Phases]: Phases[number] | '.' }

/** State machine as a table: the next phase by phase and input. */
export type TransitionTable<Phase extends string, Input extends string> = Readonly<
  Record<Phase, Readonly<Record<Input, Phase>>>
>

/**
 * Transition table from its written form, one input per line. TypeScript refuses a row with a cell too few or too many; where
 * the result is declared as a {@link TransitionTable}, also a phase or an input that is left out.
 */
// @__NO_SIDE_EFFECTS__
export function transitionTable<const Phases extends readonly string[], Input extends string>(
  phases: Phases,
  rows: Readonly<Record<Input, Row<Phases>>>,
): TransitionTable<Phases[number], Input> {
  const inputs = Object.entries<Row<Phases>>(rows)
  const columns = phases.map((phase, index) => [
    phase,
    Object.fromEntries(inputs.map(([input, row]) => [input, row[index] === '.' ? phase : row[index]])),
  ])
  // fromEntries forgets the keys: they are those of `phases`, and below them those of `rows`.
  return Object.fromEntries(columns) as TransitionTable<Phases[number], Input>
}
